"use strict";
// The sample browser. All text goes in as text nodes: nothing of the data is ever parsed as markup.
(async () => {
  const packed = Uint8Array.from(atob(document.getElementById("samples").textContent), (c) => c.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const runs = JSON.parse(await new Response(unpacked).text());
  const PAGE = 25, FEW = 30;
  const at = (id) => document.getElementById(id);
  const list = at("items");
  let page = 0, found = [];

  function el(name, cls, ...children) {
    const node = document.createElement(name);
    if (cls) node.className = cls;
    node.append(...children.filter((c) => c !== null && c !== undefined).map((c) => (c instanceof Node ? c : String(c))));
    return node;
  }
  const folded = (text) => text.normalize("NFKC").toLowerCase();
  const haystack = (item) => (item.hay ??= folded(
    [item.text, ...(item.answers || []), ...(item.gold || []), item.kind || "", item.id, item.error || ""].join("\n")));

  function keeps(item) {
    const result = at("result").value, stage = at("stage").value;
    if (result === "right" && !item.right) return false;
    if (result === "wrong" && item.right) return false;
    if (result === "error" && !item.error) return false;
    if (result === "repaired" && !(item.steps || []).some((s) => s.status === "repaired" || s.status === "fallback")) return false;
    if (stage && item.stage !== stage) return false;
    return folded(at("text").value).split(/\s+/).every((word) => haystack(item).includes(word));
  }

  function filter() {
    const run = runs[at("run").value];
    found = run.items.filter(keeps);
    page = 0;
    show();
  }

  function show() {
    const run = runs[at("run").value], pages = Math.max(1, Math.ceil(found.length / PAGE));
    list.replaceChildren(...found.slice(page * PAGE, (page + 1) * PAGE).map((item) => summary(item, run)));
    at("count").textContent = `${found.length.toLocaleString("en")} of ${run.items.length.toLocaleString("en")} items, page ${page + 1} of ${pages}`;
    at("back").disabled = page === 0;
    at("next").disabled = page >= pages - 1;
  }

  function said(item) {
    if (item.error) return `ended in ${item.error}`;
    if (item.ranks) return `${item.gold[0]}: rank ${item.ranks.join(" → ")}`;
    const answers = item.answers || [];
    if (!answers.length) return "no answer";
    return answers.slice(0, 3).join(", ") + (answers.length > 3 ? ` and ${answers.length - 3} more` : "");
  }

  function summary(item, run) {
    const mark = el("span", item.right ? "right" : "wrong", item.right ? "✓" : "✗");
    mark.setAttribute("aria-label", item.right ? "right" : "wrong");
    const stage = item.stage && item.stage !== "unknown" ? ` · lost in ${item.stage}` : "";
    const box = el("details", "item", el("summary", "", mark, el("span", "", item.text), el("span", "said", said(item) + stage)));
    box.addEventListener("toggle", () => {
      if (box.open && box.childElementCount === 1) box.append(body(item, run));
    });
    return box;
  }

  function body(item, run) {
    const gold = new Set((item.gold || []).map(folded));
    const parts = [];
    const part = (title, node) => parts.push(el("h4", "", title), node);
    if (item.ranks) part("Rank of the answer", el("div", "", item.ranks.length > 1 ? `${item.ranks[0]} by the scorer, ${item.ranks[1]} re-ranked` : item.ranks[0]));
    else part("Answer", chips(item.answers || [], (a) => gold.has(folded(a)), "none"));
    part("Gold", chips(item.gold || [], () => false, "none"));
    if (item.stage) part(item.stage === "unknown" ? "Stage not known" : `Lost in ${item.stage}`, el("div", "", item.why));
    if (item.error) part("Error", el("div", "wrong", item.error));
    if (item.evidence) part(`Evidence: ${item.evidence.length} triples${item.cited ? `, ${item.cited.length} cited` : ""}`, triples(item.evidence, new Set(item.cited || [])));
    if (item.steps) part("Steps", el("ol", "steps", ...item.steps.map((step) => stepped(step, run))));
    const told = [item.kind, item.hops && `gold path of ${item.hops}`, item.tokens && `${item.tokens.toLocaleString("en")} tokens`, item.seconds && `${item.seconds} s`, item.id];
    parts.push(el("h4", "", "Item"), el("div", "soft", told.filter(Boolean).join(" · ")));
    return el("div", "body", ...parts);
  }

  const chips = (texts, good, none) => texts.length
    ? limited(texts.map((t) => el("li", good(t) ? "right" : "", t)), "chips")
    : el("div", "soft", none);

  const line = ([h, r, t]) => [h, " ", el("span", "rel", `— ${r} →`), " ", t];
  const triples = (rows, cited) => {
    const order = rows.map((row, i) => [row, cited.has(i)]).sort((a, b) => b[1] - a[1]);
    return limited(order.map(([row, is]) => el("li", is ? "cited" : "", is ? "● " : "○ ", ...line(row))), "triples");
  };

  function limited(nodes, cls) {
    const box = el("ul", cls, ...nodes.slice(0, FEW));
    if (nodes.length <= FEW) return box;
    const button = el("button", "", `show all ${nodes.length}`);
    button.type = "button";
    button.addEventListener("click", () => { box.append(...nodes.slice(FEW)); button.remove(); });
    return el("div", "", box, button);
  }

  function stepped(step, run) {
    const told = [step.tokens && `${step.tokens.toLocaleString("en")} tokens`, step.seconds && `${step.seconds} s`].filter(Boolean).join(", ");
    const node = el("li", "", el("span", "name", step.node), " ", el("span", `badge ${step.status}`, step.status), " ", el("span", "meta", told));
    if (step.note) node.append(el("div", "soft", step.note));
    const detail = Object.entries(step.detail || {});
    if (detail.length) node.append(el("dl", "", ...detail.flatMap(([k, v]) => [el("dt", "", k.replaceAll("_", " ")), el("dd", "", value(v))])));
    if (step.reply) node.append(el("pre", "", step.reply));
    if (step.prompt) {
      const [shared, rest] = Array.isArray(step.prompt) ? [run.shared[step.prompt[0]], step.prompt[1]] : ["", step.prompt];
      const asked = el("details", "", el("summary", "", "prompt"));
      if (shared) asked.append(el("details", "", el("summary", "", `its beginning, the same in all items: ${shared.length.toLocaleString("en")} characters`), el("pre", "", shared)));
      asked.append(el("pre", "", rest));
      node.append(asked);
    }
    return node;
  }

  function value(v) {
    if (!Array.isArray(v)) return v !== null && typeof v === "object" ? JSON.stringify(v) : String(v);
    if (!v.length) return "none";
    if (v.every((x) => Array.isArray(x) && x.length >= 3)) return triples(v, new Set());
    if (v.every((x) => x && x.text !== undefined && Array.isArray(x.ends))) return el("ol", "", ...v.map((x) => el("li", "", `${x.text}  (${x.ends.join(" ; ")})`)));
    return limited(v.map((x) => el("li", "", typeof x === "string" ? x : JSON.stringify(x))), "chips");
  }

  runs.forEach((run, i) => { const option = el("option", "", run.name); option.value = i; at("run").append(option); });
  for (const id of ["run", "result", "stage"]) at(id).addEventListener("change", filter);
  at("text").addEventListener("input", filter);
  at("back").addEventListener("click", () => { page -= 1; show(); });
  at("next").addEventListener("click", () => { page += 1; show(); });
  at("browser").hidden = false;
  filter();
})();
