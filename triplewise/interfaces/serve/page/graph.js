// The evidence graph in SVG: every node and edge is an element that can be focused, read out and clicked.

import { ICONS, announce, counted, h, icon, s } from "./dom.js";
import { lay } from "./layout.js";
import { outline } from "./outline.js";
import { get } from "./api.js";

export const KINDS = {
  proof: "proof", context: "context", inferred: "inferred", predicted: "predicted",
};
const LEGIBLE = 0.75; // the scale below which columns are given up for an outline
const WORDS = { asserted: "in the graph", inferred: "inferred", predicted: "predicted, not a fact" };

export function kindOf(fact) {
  if (fact.source !== "asserted") return fact.source;
  return fact.n ? "proof" : "context";
}

export function sourceWords(fact) {
  return WORDS[fact.source] + (fact.score === null || fact.score === undefined ? "" : `, score ${Number(fact.score.toPrecision(3))}`);
}

export class EvidenceGraph {
  constructor(answer, options) {
    this.answer = answer;
    this.options = options;
    this.facts = [...answer.citations, ...answer.context];
    this.hidden = { nodes: new Set(), relations: new Set(), kinds: new Set() };
    this.zoom = 1;
    this.query = "";
    this.chosen = null;
    this.canvas = h("div", { class: "canvas", tabindex: "-1" });
    this.legend = h("div", { class: "legend" });
    this.card = h("div", { class: "node-card", hidden: true });
    this.element = h("div", { class: "panel graph" }, this.tools(), this.canvas, this.card, this.legend);
    this.draw();
    new ResizeObserver(() => this.size()).observe(this.canvas);
  }

  tools() {
    const find = h("input", { type: "search", placeholder: "Find in this graph", "aria-label": "Find in this graph" });
    find.addEventListener("input", () => { this.query = find.value.trim().toLowerCase(); this.mark(); });
    const button = (label, path, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, icon(path));
    const scale = (factor) => { this.zoom = Math.min(3, Math.max(0.4, this.zoom * factor)); this.size(); };
    return h("div", { class: "tools" }, find, button("Smaller", ICONS.minus, () => scale(0.8)), button("Larger", ICONS.plus, () => scale(1.25)));
  }

  shownFacts() {
    const { nodes, relations, kinds } = this.hidden;
    return this.facts.filter((f) => !nodes.has(f.head) && !nodes.has(f.tail) && !relations.has(f.relation) && !kinds.has(kindOf(f)));
  }

  draw() {
    const facts = this.shownFacts();
    const nodes = new Map();
    const proof = new Set(this.answer.citations.flatMap((f) => [f.head, f.tail]));
    const answers = new Set(this.answer.answers.map((a) => a.id));
    for (const fact of facts) {
      for (const [id, label] of [[fact.head, fact.labels[0]], [fact.tail, fact.labels[2]]]) {
        if (!nodes.has(id)) nodes.set(id, { id, label, rank: nodes.size, degree: 0, proof: proof.has(id), answer: answers.has(id) });
        nodes.get(id).degree += fact.n ? 10 : 1;
      }
    }
    const edges = facts.map((fact) => ({
      fact, head: fact.head, tail: fact.tail, label: fact.labels[1], before: fact.n || "",
      after: fact.score === null || fact.score === undefined ? "" : Number(fact.score.toPrecision(2)),
    }));
    const plain = (node) => Number(node.answer || node.id.startsWith('"') || node.id.startsWith("_:")); // no beginning
    const roots = [...nodes.values()].sort((a, b) => plain(a) - plain(b) || b.degree - a.degree).map((n) => n.id);
    this.roots = roots.slice(0, 1);
    this.nodes = [...nodes.values()];
    this.edges = edges;
    this.canvas.replaceChildren();
    if (!nodes.size) {
      this.canvas.append(h("p", { class: "empty-note" }, this.facts.length ? "All is filtered out." : "This answer rests on no triples."));
    } else {
      this.box = this.laid(edges);
      this.svg = s("svg", { viewBox: `0 0 ${this.box.width} ${this.box.height}`, role: "group", "aria-label": this.summary() });
      this.items = [];
      this.svg.append(...edges.map((edge) => this.edge(edge)), ...this.nodes.map((node) => this.node(node)));
      this.svg.addEventListener("keydown", (event) => this.keys(event));
      this.items[0]?.setAttribute("tabindex", "0");
      this.canvas.append(this.svg);
      this.size();
      this.mark();
    }
    this.drawLegend();
  }

  get room() { return this.canvas.clientWidth ? this.canvas.clientWidth - 20 : Infinity; }

  // In columns, or line below line where these would be too small to read.
  laid(edges) {
    this.drawnFor = this.canvas.offsetWidth;
    const columns = lay(this.nodes, edges, this.roots);
    if (this.room >= columns.width * LEGIBLE) return columns;
    return outline(this.nodes, edges, this.roots, this.room);
  }

  summary() {
    return `Evidence graph: ${counted(this.nodes.length, "node")}, ${counted(this.edges.length, "edge")}. Arrow keys move within it.`;
  }

  size() {
    if (!this.svg) return;
    if (this.canvas.offsetWidth !== this.drawnFor) { this.draw(); return; } // it stands on the page only now, or in another width
    const fit = Math.max(0.6, Math.min(1, this.room / this.box.width));
    this.svg.setAttribute("width", Math.round(this.box.width * fit * this.zoom));
    this.svg.setAttribute("height", Math.round(this.box.height * fit * this.zoom));
  }

  edge(edge) {
    const { fact } = edge;
    const kind = kindOf(fact);
    const words = `${fact.n ? `${fact.n}: ` : ""}${fact.labels.join(" — ")}, ${sourceWords(fact)}${fact.n ? "" : ", context"}`;
    const group = s("g", {
      class: `g-edge ${kind}${fact.n ? " proof" : ""}`, role: "img", "aria-label": words, tabindex: "-1",
      "data-light": fact.n ? `${this.answer.id}:${fact.n}` : null,
    },
      s("title", {}, words),
      s("path", { class: "hit", d: edge.d }),
      s("path", { class: "line", d: edge.d }),
      s("path", { class: "arrow", d: "M0 0 -9 -4.2 -9 4.2z", transform: `translate(${edge.ax} ${edge.ay}) rotate(${edge.angle})` }),
      s("text", { x: edge.lx, y: edge.ly - 7, class: edge.start ? "start" : null }, edge.name));
    group.addEventListener("click", () => group.focus());
    edge.group = group;
    this.items.push(group);
    return group;
  }

  node(node) {
    const literal = node.id.startsWith('"');
    const classes = ["g-node", node.answer && "answer", node.proof && "proof", literal && "literal", this.roots.includes(node.id) && "root"];
    const role = node.answer ? ", an answer" : "";
    const group = s("g", {
      class: classes.filter(Boolean).join(" "), role: "button", tabindex: "-1", "aria-label": `${node.label}${role}`,
      transform: `translate(${node.x} ${node.y})`,
    },
      s("title", {}, node.label),
      s("rect", { x: -node.w / 2, y: -node.h / 2, width: node.w, height: node.h, rx: literal ? 4 : Math.min(16, node.h / 2) }),
      s("text", {}, node.lines.map((line, i) => s("tspan", { x: 0, y: (i - (node.lines.length - 1) / 2) * 17 + 4.5 }, line))));
    group.addEventListener("click", () => this.choose(node));
    node.group = group;
    this.items.push(group);
    return group;
  }

  keys(event) {
    const at = this.items.indexOf(event.target.closest("g[tabindex]"));
    if (at < 0) return;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    let to = step ? (at + step + this.items.length) % this.items.length : { Home: 0, End: this.items.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.items[at].setAttribute("tabindex", "-1");
      this.items[to].setAttribute("tabindex", "0");
      this.items[to].focus();
    } else if (event.key === "Enter" || event.key === " ") {
      const node = this.nodes.find((n) => n.group === this.items[at]);
      if (node) { event.preventDefault(); this.choose(node); }
    }
  }

  mark() {
    for (const node of this.nodes) {
      const found = this.query && node.label.toLowerCase().includes(this.query);
      node.group?.classList.toggle("found", Boolean(found));
      node.group?.classList.toggle("dim", Boolean(this.query) && !found);
      node.group?.classList.toggle("chosen", node.id === this.chosen);
    }
    for (const edge of this.edges) edge.group?.classList.toggle("dim", Boolean(this.query) && !edge.label.toLowerCase().includes(this.query));
  }

  drawLegend() {
    const kinds = Object.keys(KINDS).filter((kind) => this.facts.some((f) => kindOf(f) === kind));
    const relations = new Map();
    for (const fact of this.facts) {
      const row = relations.get(fact.relation) || { label: fact.labels[1], count: 0 };
      row.count += 1;
      relations.set(fact.relation, row);
    }
    const toggle = (set, key, ...content) => h("button", {
      type: "button", "aria-pressed": String(!set.has(key)),
      onclick: (event) => {
        if (set.has(key)) set.delete(key); else set.add(key);
        const index = [...this.legend.querySelectorAll("button")].indexOf(event.currentTarget);
        this.draw();
        this.legend.querySelectorAll("button")[index]?.focus();
      },
    }, content);
    const line = (kind) => s("svg", { width: 26, height: 8, "aria-hidden": "true" }, s("line", { class: `ln ${kind}`, x1: 2, x2: 24, y1: 4, y2: 4 }));
    const sorted = [...relations].sort((a, b) => b[1].count - a[1].count);
    this.legend.replaceChildren(
      h("div", { class: "chips", role: "group", "aria-label": "Show kinds of evidence" }, kinds.map((kind) => toggle(this.hidden.kinds, kind, line(kind), KINDS[kind]))),
      h("div", { class: "chips", role: "group", "aria-label": "Show relations" }, sorted.map(([id, { label, count }]) =>
        toggle(this.hidden.relations, id, label, h("span", { class: "count" }, String(count))))));
    if (this.hidden.nodes.size) {
      this.legend.append(h("div", { class: "chips" }, h("button", {
        type: "button", onclick: () => { this.hidden.nodes.clear(); this.draw(); this.legend.querySelector("button")?.focus(); },
      }, `Show ${counted(this.hidden.nodes.size, "hidden node")}`)));
    }
  }

  async choose(node) {
    this.chosen = node.id;
    this.mark();
    const links = this.edges.filter((e) => e.head === node.id || e.tail === node.id).length;
    const about = h("p", {}, `${counted(links, "link")} shown`);
    // Not to be pressed before it is known what there is to add: a click until then would do nothing.
    const expand = h("button", { type: "button", disabled: true, hidden: !this.options.kg || node.id.startsWith('"') }, "Expand");
    const hide = h("button", { type: "button", onclick: () => { this.hidden.nodes.add(node.id); this.card.hidden = true; this.draw(); this.canvas.focus(); announce(`${node.label} is hidden`); } }, "Hide");
    const ask = this.options.ask && h("button", { type: "button", onclick: () => this.options.ask(node.label) }, "Ask about it");
    const close = h("button", { type: "button", class: "quiet", onclick: () => { this.card.hidden = true; this.chosen = null; this.mark(); node.group.focus(); } }, "Close");
    this.card.replaceChildren(h("h3", {}, node.label), about, h("div", { class: "row" }, expand, hide, ask, close));
    this.card.hidden = false;
    announce(`${node.label}. ${counted(links, "link")} shown.`);
    if (expand.hidden) return;
    try {
      const found = await get(`/api/graphs/${encodeURIComponent(this.options.kg)}/node?id=${encodeURIComponent(node.id)}`);
      if (this.chosen !== node.id) return;
      const known = new Set(this.facts.map((f) => JSON.stringify([f.head, f.relation, f.tail])));
      const more = found.triples.filter((t) => !known.has(JSON.stringify([t.head, t.relation, t.tail])));
      about.textContent = [found.types.join(", "), found.description, `${counted(found.total, "link")} in the graph, ${links} shown`].filter(Boolean).join(" · ");
      expand.addEventListener("click", () => {
        this.facts.push(...more.map((t) => ({ ...t, n: 0, source: "asserted", score: null })));
        this.draw();
        this.choose(this.nodes.find((n) => n.id === node.id));
        announce(`${counted(more.length, "link")} added`);
      });
      expand.disabled = !more.length;
    } catch (error) {
      about.textContent = error.message;
    }
  }
}
