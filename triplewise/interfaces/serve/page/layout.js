// Where nodes and edges stand: columns by distance from what was asked about, each column ordered by its neighbours.

const LINE = 17, ROW_GAP = 16, EDGE_STACK = 16, MAX_CHARS = 19, MAX_LINES = 2;
const CHAR = 7.2, BOLD_CHAR = 8, MAX_EDGE_CHARS = 22, CURVE = 52;

export const EDGE_CHAR = 6.5;

export function cut(text, length) {
  const characters = [...text];
  return characters.length <= length ? text : characters.slice(0, length - 1).join("") + "…";
}

export function wrap(text) {
  const lines = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && [...last, ...word].length + 1 <= MAX_CHARS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  if (lines.length > MAX_LINES) lines.splice(MAX_LINES - 1, lines.length, lines.slice(MAX_LINES - 1).join(" "));
  return (lines.length ? lines : [""]).map((line) => cut(line, MAX_CHARS));
}

export function layers(nodes, edges, roots) {
  const near = new Map(nodes.map((node) => [node.id, []]));
  for (const edge of edges) {
    near.get(edge.head).push(edge.tail);
    near.get(edge.tail).push(edge.head);
  }
  const depth = new Map();
  const spread = (start) => {
    depth.set(start, 0);
    const queue = [start];
    while (queue.length) {
      const id = queue.shift();
      for (const other of near.get(id)) if (!depth.has(other)) { depth.set(other, depth.get(id) + 1); queue.push(other); }
    }
  };
  for (const root of [...roots, ...nodes.map((node) => node.id)]) if (near.has(root) && !depth.has(root)) spread(root);
  return { near, depth };
}

export function measure(nodes, edges, roots) {
  for (const node of nodes) {
    node.lines = wrap(node.label);
    const char = node.answer || node.id === roots[0] ? BOLD_CHAR : CHAR;
    node.w = Math.max(54, Math.max(...node.lines.map((line) => [...line].length)) * char + 26);
    node.h = node.lines.length * LINE + 13;
  }
  for (const edge of edges) edge.name = [edge.before, cut(edge.label, MAX_EDGE_CHARS), edge.after].filter(Boolean).join(" ");
}

function order(columns, near) {
  const place = new Map();
  const note = () => columns.forEach((column) => column.forEach((node, i) => place.set(node.id, i - column.length / 2)));
  note();
  for (let round = 0; round < 4; round += 1) {
    for (const column of round % 2 ? [...columns].reverse() : columns) {
      const centre = (node) => {
        const others = near.get(node.id).filter((id) => !column.some((n) => n.id === id)).map((id) => place.get(id));
        return others.length ? others.reduce((a, b) => a + b, 0) / others.length : place.get(node.id);
      };
      const centres = new Map(column.map((node) => [node, centre(node)]));
      column.sort((a, b) => centres.get(a) - centres.get(b) || a.rank - b.rank);
      note();
    }
  }
}

export function lay(nodes, edges, roots) {
  const { near, depth } = layers(nodes, edges, roots);
  measure(nodes, edges, roots);
  const columns = [];
  for (const node of nodes) (columns[depth.get(node.id)] ??= []).push(node);
  order(columns, near);
  const parallel = new Map();
  for (const edge of edges) {
    const pair = [edge.head, edge.tail].sort().join("\u0000");
    edge.stack = parallel.get(pair) || [];
    edge.slot = edge.stack.push(edge) - 1;
    parallel.set(pair, edge.stack);
  }
  const most = new Map(); // edges in the thickest bundle at a node: it needs room for their labels
  for (const stack of parallel.values()) for (const edge of stack) {
    for (const id of [edge.head, edge.tail]) most.set(id, Math.max(most.get(id) || 1, stack.length));
  }
  for (const node of nodes) {
    node.room = Math.max(node.h, (near.get(node.id).length < 4 ? most.get(node.id) || 1 : 1) * EDGE_STACK) + ROW_GAP;
  }
  const gaps = columns.map(() => 70);
  for (const edge of edges) {
    edge.run = [...edge.name].length * EDGE_CHAR + 16;
    const left = Math.min(depth.get(edge.head), depth.get(edge.tail));
    gaps[left] = Math.max(gaps[left], edge.run + CURVE);
  }
  const tall = Math.max(...columns.map((column) => column.reduce((sum, node) => sum + node.room, 0)));
  let x = 6;
  columns.forEach((column, i) => {
    const wide = Math.max(...column.map((node) => node.w));
    const own = column.reduce((sum, node) => sum + node.room, 0);
    const spare = column.length > 1 ? Math.min(26, (tall - own) / column.length) : 0;
    let y = (tall - own - spare * column.length) / 2 + 6;
    for (const node of column) {
      node.x = i ? x + node.w / 2 : x + wide - node.w / 2;
      node.y = y + (node.room + spare) / 2;
      y += node.room + spare;
    }
    x += wide + (i < columns.length - 1 || edges.some((e) => depth.get(e.head) === i && depth.get(e.tail) === i) ? gaps[i] : 6);
  });
  const at = new Map(nodes.map((node) => [node.id, node]));
  for (const edge of edges) route(edge, at.get(edge.head), at.get(edge.tail), near, (node) => depth.get(node.id));
  return { width: Math.ceil(x), height: Math.ceil(tall + 12) };
}

function route(edge, head, tail, near, depthOf) {
  const offset = (edge.slot - (edge.stack.length - 1) / 2) * EDGE_STACK;
  if (head === tail) {
    const y = head.y - head.h / 2;
    edge.d = `M${head.x - 14} ${y}C${head.x - 30} ${y - 34} ${head.x + 30} ${y - 34} ${head.x + 14} ${y}`;
    Object.assign(edge, { lx: head.x, ly: y - 28, ax: head.x + 14, ay: y, angle: 70 });
    return;
  }
  if (depthOf(head) === depthOf(tail)) {
    const out = Math.max(head.x + head.w / 2, tail.x + tail.w / 2) + 30 + Math.abs(offset);
    const a = { x: head.x + head.w / 2, y: head.y + offset / 3 }, b = { x: tail.x + tail.w / 2, y: tail.y + offset / 3 };
    edge.d = `M${a.x} ${a.y}C${out} ${a.y} ${out} ${b.y} ${b.x} ${b.y}`;
    Object.assign(edge, { lx: out - 8, ly: (a.y + b.y) / 2, ax: b.x, ay: b.y, angle: 180 });
    return;
  }
  // From the busier end a curve, to the other a level run that carries the label: those of a fan stand one below another.
  const quietTail = near.get(edge.head).length >= near.get(edge.tail).length;
  const [busy, quiet] = quietTail ? [head, tail] : [tail, head];
  const side = busy.x < quiet.x ? 1 : -1;
  const fan = (node) => Math.max(-node.h / 2 + 5, Math.min(node.h / 2 - 5, offset));
  const a = { x: busy.x + (side * busy.w) / 2, y: busy.y + fan(busy) / 2 };
  const b = { x: quiet.x - (side * quiet.w) / 2, y: quiet.y + fan(quiet) };
  const y = quiet.y + offset, turn = { x: b.x - side * edge.run, y };
  const bend = (turn.x - a.x) / 2;
  edge.d = `M${a.x} ${a.y}C${a.x + bend} ${a.y} ${turn.x - bend} ${y} ${turn.x} ${y}L${b.x - side * 10} ${y}L${b.x} ${b.y}`;
  const end = quietTail ? b : a;
  Object.assign(edge, { lx: (turn.x + b.x) / 2 - side * 4, ly: y, ax: end.x, ay: end.y, angle: (side > 0) === quietTail ? 0 : 180 });
}
