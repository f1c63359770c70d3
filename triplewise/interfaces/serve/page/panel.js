// The evidence of one answer: tabs for its graph, table, steps and cost.

import { ICONS, copyText, counted, h, icon } from "./dom.js";
import { EvidenceGraph, sourceWords } from "./graph.js";
import { toJson, toTsv, toTurtle } from "./formats.js";

export function showPanel(place, answer, options = {}) {
  const tabs = [["graph", "Graph", () => new EvidenceGraph(answer, options)], ["table", "Table", () => ({ element: table(answer) })]];
  if (answer.steps) tabs.push(["steps", "Steps", () => ({ element: steps(answer) })]);
  if (answer.usage) tabs.push(["cost", "Cost", () => ({ element: cost(answer) })]);
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": "Evidence" });
  const panels = h("div", { role: "tabpanel", id: "evidence-panel", class: "panel graph" });
  const buttons = tabs.map(([name, label]) => h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "evidence-panel" }, label));
  list.append(...buttons);
  const select = (i, focus) => {
    buttons.forEach((button, k) => {
      button.setAttribute("aria-selected", String(k === i));
      button.setAttribute("tabindex", k === i ? "0" : "-1");
    });
    const view = tabs[i][2]();
    panels.className = view.element.className;
    panels.setAttribute("aria-labelledby", buttons[i].id);
    panels.replaceChildren(...view.element.childNodes);
    view.size?.();
    place.dataset.tab = tabs[i][0];
    if (focus) buttons[i].focus();
  };
  buttons.forEach((button, i) => button.addEventListener("click", () => select(i)));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = buttons.indexOf(event.target);
    if (step && at >= 0) { event.preventDefault(); select((at + step + buttons.length) % buttons.length, true); }
  });
  const close = options.close && h("button", { type: "button", class: "icon", "aria-label": "Close the evidence", onclick: options.close }, icon(ICONS.close));
  const head = h("div", { class: "e-head" }, h("h2", {}, options.title || "Evidence"), close);
  const kept = [...place.children].filter((child) => child.matches("h1"));
  const open = tabs.findIndex(([name]) => name === place.dataset.tab);
  place.replaceChildren(...kept, head, list, panels);
  select(Math.max(0, open));
}

export function table(answer) {
  const facts = [...answer.citations, ...answer.context];
  const row = (f) => h("tr", { class: f.n ? "cited" : "", "data-light": f.n ? `${answer.id}:${f.n}` : null },
    h("td", {}, f.n ? String(f.n) : "–"), f.labels.map((label) => h("td", {}, label)), h("td", {}, f.n ? sourceWords(f) : `${sourceWords(f)}, context`));
  const copy = (name, make) => h("button", { type: "button", onclick: () => copyText(make(facts), name) }, name);
  return h("div", { class: "panel" },
    h("table", { class: "e-table" },
      h("caption", {}, `${counted(answer.citations.length, "triple")} of the proof, ${answer.context.length} near it`),
      h("thead", {}, h("tr", {}, ["n", "From", "Relation", "To", "Kind"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, facts.map(row))),
    h("div", { class: "copies" }, h("span", {}, "Copy as"), copy("TSV", toTsv), copy("Turtle", toTurtle), copy("JSON", toJson)));
}

function steps(answer) {
  const items = answer.steps.map((step) => h("li", { class: step.parent ? "inner" : "" },
    h("span", {}, step.label || step.node), h("span", { class: "time" }, step.seconds === undefined ? "" : `${step.seconds.toFixed(2)} s`),
    step.note || (step.status && step.status !== "ok") ? h("small", {}, [step.status === "ok" ? "" : step.status, step.note].filter(Boolean).join(": ")) : null));
  const parts = [];
  if (items.length) parts.push(h("h3", {}, "What was done"), h("ol", { class: "step-list" }, items));
  if (answer.rewritten) parts.push(h("h3", {}, "Asked as"), h("p", {}, answer.rewritten.text));
  if (answer.readAs?.reading) parts.push(h("h3", {}, "Query"), h("pre", { tabindex: "0", "aria-label": "The query" }, JSON.stringify(answer.readAs.reading.query, null, 1)));
  return h("div", { class: "panel" }, parts.length ? parts : h("p", { class: "empty-note" }, "The steps of earlier answers are not kept."));
}

export function money(cost) {
  return cost === null || cost === undefined ? "" : `$${cost < 0.01 ? cost.toFixed(4) : cost.toFixed(2)}`;
}

function cost(answer) {
  const { usage, seconds } = answer.usage;
  const rows = [
    ["Time", `${seconds.toFixed(1)} s`], ["Model calls", usage.calls], ["Answered by the cache", usage.cache_hits],
    ["Prompt tokens", usage.prompt_tokens], ["of these cached", usage.cached_tokens], ["Completion tokens", usage.completion_tokens],
    ["Money", money(usage.cost) || "no price known"], ["Method", answer.method || "–"],
  ];
  return h("div", { class: "panel" }, h("dl", { class: "kv" }, rows.map(([name, value]) =>
    [h("dt", {}, name), h("dd", {}, typeof value === "number" ? value.toLocaleString("en") : value)])));
}
