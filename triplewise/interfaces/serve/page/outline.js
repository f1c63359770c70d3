// Where nodes and edges stand where columns have no room: one node a line, below and to the right of what leads to it.

import { EDGE_CHAR, layers, measure } from "./layout.js";

const LABEL = 16, GAP = 12, STEP = 34, LANE = 9, EDGE = 6;

// The nodes in the order of their lines, each after the one that leads to it.
function ordered(nodes, near, depth) {
  const at = new Map(nodes.map((node) => [node.id, node]));
  const lines = [];
  const parent = new Map();
  const visit = (node) => {
    lines.push(node);
    for (const id of near.get(node.id)) {
      if (parent.has(id) || depth.get(id) !== depth.get(node.id) + 1) continue;
      parent.set(id, node.id);
      visit(at.get(id));
    }
  };
  for (const node of nodes) if (depth.get(node.id) === 0) visit(node);
  return { lines, parent };
}

export function outline(nodes, edges, roots, room) {
  const { near, depth } = layers(nodes, edges, roots);
  measure(nodes, edges, roots);
  const { lines, parent } = ordered(nodes, near, depth);
  const line = new Map(lines.map((node, i) => [node.id, i]));
  const into = new Map(lines.map((node) => [node.id, []])); // the edges that end at a node's line, from lines above it
  const beside = []; // of these, those that run along the right side
  for (const edge of edges) {
    const lower = line.get(edge.head) > line.get(edge.tail) ? edge.head : edge.tail;
    const upper = lower === edge.head ? edge.tail : edge.head;
    into.get(lower).push(edge);
    Object.assign(edge, { upper, lower });
    if (parent.get(lower) !== upper) beside.push(edge);
  }
  const right = Math.max(...lines.map((node) => node.w));
  const deepest = Math.max(...depth.values());
  const step = deepest ? Math.max(14, Math.min(STEP, (room - right - beside.length * LANE - 2 * EDGE) / deepest)) : 0;
  let y = EDGE;
  for (const node of lines) {
    const own = into.get(node.id);
    node.x = EDGE + depth.get(node.id) * step + node.w / 2;
    own.forEach((edge, i) => { edge.ly = y + LABEL * (i + 1) + 2; });
    node.y = y + own.length * LABEL + node.h / 2;
    y += own.length * LABEL + node.h + GAP;
  }
  let width = Math.max(...lines.map((node) => node.x + node.w / 2));
  for (const edge of edges) width = Math.max(width, leftOf(edge, lines[line.get(edge.lower)]) + EDGE + [...edge.name].length * EDGE_CHAR);
  for (const edge of edges) {
    const upper = lines[line.get(edge.upper)], lower = lines[line.get(edge.lower)];
    const right = beside.includes(edge);
    const own = into.get(edge.lower).filter((e) => beside.includes(e) === right);
    if (right) along(edge, upper, lower, width + LANE * (beside.indexOf(edge) + 1), spread(edge, lower, own));
    else down(edge, upper, lower, own, step);
  }
  return { width: Math.ceil(width + LANE * beside.length + EDGE), height: Math.ceil(y) };
}

function leftOf(edge, lower) {
  return lower.x - lower.w / 2 + 2;
}

// How far from a node's middle one of the edges at one side of it ends.
function spread(edge, node, own) {
  return (own.indexOf(edge) - (own.length - 1) / 2) * Math.min(7, (node.h - 8) / own.length);
}

// Down from the upper node and right into the lower one; the label stands above that.
function down(edge, upper, lower, own, step) {
  const i = own.indexOf(edge);
  const inward = edge.tail === edge.upper ? -step / 5 : 0; // apart from those that leave the upper node
  const x = upper.x - upper.w / 2 + step / 2 + inward + (own.length - 1 - i) * Math.min(4, step / 8), top = upper.y + upper.h / 2;
  const end = lower.x - lower.w / 2, y = lower.y + spread(edge, lower, own);
  edge.d = `M${x} ${top}L${x} ${y}L${end} ${y}`;
  const arrow = edge.tail === edge.lower ? { ax: end, ay: y, angle: 0 } : { ax: x, ay: top, angle: -90 };
  Object.assign(edge, arrow, { lx: leftOf(edge, lower), start: true });
}

// From the upper node's right side along the margin to the lower one's; of a node to itself a loop there.
function along(edge, upper, lower, x, shift) {
  const from = upper.x + upper.w / 2, to = lower.x + lower.w / 2;
  const loop = upper === lower ? upper.h / 4 : 0, y1 = upper.y - loop + shift, y2 = lower.y + loop + shift;
  edge.d = `M${from} ${y1}L${x} ${y1}L${x} ${y2}L${to} ${y2}`;
  const downward = edge.tail === edge.lower;
  Object.assign(edge, { ax: downward ? to : from, ay: downward ? y2 : y1, angle: 180, lx: leftOf(edge, lower), start: true });
}
