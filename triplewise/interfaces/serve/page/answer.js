// An answer's text: paragraphs, lists, bold and code, with [n] as buttons. No links and no images, whatever the text says.

import { h } from "./dom.js";
import { sourceWords } from "./graph.js";

const INLINE = /\[(\d{1,4})\]|\*\*([^*\n]+)\*\*|`([^`\n]+)`/g;

function citation(n, answer, open) {
  const fact = answer.citations.find((c) => c.n === n);
  if (!fact) return `[${n}]`;
  const label = `Evidence ${n}: ${fact.labels.join(" — ")}, ${sourceWords(fact)}`;
  const kind = fact.source === "asserted" ? "" : ` ${fact.source}`;
  return h("button", { type: "button", class: `cite${kind}`, "aria-label": label, title: label, "data-light": `${answer.id}:${n}`, onclick: () => open(n) }, String(n));
}

function inline(text, answer, open) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    if (match[1]) parts.push(citation(Number(match[1]), answer, open));
    else parts.push(match[2] ? h("strong", {}, match[2]) : h("code", {}, match[3]));
    from = match.index + match[0].length;
  }
  return from < text.length ? [...parts, text.slice(from)] : parts;
}

function sentences(text, answer, open) {
  const doubtful = answer.unsupported.filter((sentence) => sentence && text.includes(sentence));
  if (!doubtful.length) return inline(text, answer, open);
  const [first] = doubtful;
  const at = text.indexOf(first);
  const mark = h("span", { class: "doubt", title: "Nothing in the graph supports this sentence" }, inline(first, answer, open),
    h("span", { class: "sr" }, " (nothing in the graph supports this sentence)"));
  return [...sentences(text.slice(0, at), answer, open), mark, ...sentences(text.slice(at + first.length), answer, open)];
}

export function renderText(text, answer, open) {
  const blocks = [];
  for (const block of text.split(/\n{2,}/)) {
    let list = null;
    let lines = [];
    const flush = () => { if (lines.length) blocks.push(h("p", {}, lines.flatMap((line, i) => [i ? h("br") : null, ...line]))); lines = []; };
    for (const line of block.split("\n")) {
      const item = line.match(/^\s*(?:([-*•])|(\d{1,3})[.)])\s+(.*)$/);
      if (!item) {
        list = null;
        if (line.trim()) lines.push(sentences(line, answer, open));
        continue;
      }
      flush();
      const tag = item[1] ? "ul" : "ol";
      if (!list || list.tagName.toLowerCase() !== tag) blocks.push(list = h(tag, item[2] ? { start: item[2] } : {}));
      list.append(h("li", {}, sentences(item[3], answer, open)));
    }
    flush();
  }
  return blocks;
}
