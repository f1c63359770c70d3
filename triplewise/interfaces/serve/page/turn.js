// One turn of a conversation: what was asked, the steps as they come, and the answer with all that belongs to it.

import { ICONS, announce, copyText, counted, h, icon } from "./dom.js";
import { renderText } from "./answer.js";
import { money } from "./panel.js";

const VERDICTS = { supported: "Supported", refuted: "Refuted", not_enough_evidence: "Not enough evidence" };

export class Turn {
  constructor(text, actions) {
    this.asked = text;
    this.actions = actions;
    this.userId = null;
    this.waiting = false;
    this.running = false;
    this.answer = { id: "", text: "", citations: [], context: [], answers: [], unsupported: [], steps: [], warnings: [], readAs: null, rewritten: null, usage: null, method: "", kind: "", verdict: null };
    this.parts = {
      asked: h("div", { class: "asked" }), steps: h("div"), verdict: h("div"), text: h("div", { class: "text" }), choices: h("div"),
      failed: h("div"), notes: h("div"), reading: h("div"), end: h("div", { class: "end" }),
    };
    this.element = h("article", { class: "turn", "aria-label": `Question: ${text}` }, Object.values(this.parts));
    this.showAsked();
  }

  showAsked() {
    const edit = h("button", { type: "button", class: "quiet edit", "aria-label": "Edit and ask again", title: "Edit and ask again", onclick: () => this.edit() }, icon(ICONS.edit, 15));
    this.parts.asked.replaceChildren(edit, h("p", {}, this.asked));
  }

  edit() {
    const area = h("textarea", { rows: Math.min(8, this.asked.split("\n").length + 1), "aria-label": "Your question, edited", maxlength: 20000 });
    area.value = this.asked;
    const back = () => { this.showAsked(); this.parts.asked.querySelector("button").focus(); };
    const form = h("form", {}, area, h("div", { class: "row" },
      h("button", { type: "button", class: "quiet", onclick: back }, "Cancel"), h("button", { type: "submit", class: "main" }, "Ask again")));
    form.addEventListener("submit", (event) => { event.preventDefault(); if (area.value.trim()) this.actions.resend(this, area.value.trim()); });
    area.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { event.stopPropagation(); back(); }
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); form.requestSubmit(); }
    });
    this.parts.asked.replaceChildren(form);
    area.focus();
  }

  start() {
    this.running = true;
    this.began = performance.now();
    this.failed = false;
    Object.assign(this.answer, { text: "", steps: [], warnings: [], citations: [], context: [], readAs: null, unsupported: [], verdict: null });
    for (const name of ["verdict", "text", "choices", "failed", "notes", "reading", "end"]) this.parts[name].replaceChildren();
    this.working = h("p", { class: "working" }, "Starting");
    this.parts.steps.replaceChildren(this.working);
  }

  take(event) {
    const { answer, parts } = this;
    switch (event.type) {
      case "step_started":
        answer.steps.push({ step: event.step, node: event.node, label: event.label, parent: event.parent });
        if (this.working) this.working.textContent = event.label || event.node;
        break;
      case "step_finished": {
        const step = answer.steps.find((s) => s.step === event.step);
        if (step) Object.assign(step, { status: event.status, note: event.note, seconds: event.seconds });
        break;
      }
      case "rewritten": answer.rewritten = event; this.showNotes(); break;
      case "token":
        answer.text += event.text;
        parts.text.replaceChildren(...renderText(answer.text, answer, (n) => this.open(n)));
        break;
      case "citations": Object.assign(answer, { id: event.message_id, citations: event.citations, context: event.context }); break;
      case "read_as": answer.readAs = event; answer.id ||= event.message_id; break;
      case "answer":
        Object.assign(answer, { id: event.message_id, text: event.text, kind: event.kind, answers: event.answers, verdict: event.verdict, unsupported: event.unsupported, method: event.method });
        this.showAnswer();
        break;
      case "choices": this.waiting = true; this.showChoices(event); break;
      case "warning": answer.warnings.push(event.text); this.showNotes(); break;
      case "error": this.fail(event.message, event.hint); break;
      case "usage": answer.usage = event; break;
      case "done": this.finish(event.status); break;
    }
  }

  showAnswer() {
    const { answer, parts } = this;
    parts.text.replaceChildren(...renderText(answer.text, answer, (n) => this.open(n)));
    parts.verdict.replaceChildren(...(answer.verdict ? [h("p", { class: `verdict ${answer.verdict}` }, VERDICTS[answer.verdict])] : []));
    if (answer.kind === "prediction") parts.verdict.replaceChildren(h("p", { class: "note warn" }, "Predicted by the link predictor: not facts of the graph."));
    this.showReading();
    this.showNotes();
  }

  showReading() {
    const { readAs } = this.answer;
    if (!readAs) return;
    const line = h("p", { class: "reading" }, ...(readAs.reading ? ["Read as ", h("em", {}, readAs.reading.text)] : ["Perhaps:"]));
    const others = readAs.others.map((other, i) => h("button", { type: "button", onclick: () => this.actions.readAs(this, i) }, other.text));
    this.parts.reading.replaceChildren(line);
    if (others.length) this.parts.reading.append(h("div", { class: "chips", role: "group", "aria-label": "Other readings" }, others));
  }

  showNotes() {
    const { rewritten, warnings } = this.answer;
    const notes = warnings.map((text) => h("p", { class: "note warn" }, text));
    if (this.chosen) notes.unshift(h("p", { class: "note" }, `You chose ${this.chosen}.`));
    if (rewritten) notes.unshift(h("p", { class: "note" }, `Understood as: ${rewritten.text}${rewritten.how ? ` (${rewritten.how})` : ""}`));
    this.parts.notes.replaceChildren(...notes);
  }

  showChoices(event) {
    const buttons = event.options.map((option) => {
      const button = h("button", { type: "button" }, option.label, option.hint ? [" ", h("small", {}, option.hint)] : null);
      button.addEventListener("click", () => {
        for (const other of buttons) other.disabled = true;
        button.classList.add("taken");
        this.waiting = false;
        this.chosen = option.label;
        this.actions.choose(this, option);
      });
      return button;
    });
    this.parts.text.replaceChildren(h("p", { id: `q-${event.message_id}` }, event.question));
    this.parts.choices.replaceChildren(h("div", { class: "choices", role: "group", "aria-labelledby": `q-${event.message_id}` }, buttons));
    announce(`${event.question} ${counted(buttons.length, "choice")}.`);
    this.actions.focusIfIdle(buttons[0]);
  }

  fail(message, hint) {
    this.failed = true;
    const again = h("button", { type: "button", onclick: () => this.actions.resend(this, this.asked) }, "Ask again");
    this.parts.failed.replaceChildren(h("div", { class: "failed", role: "alert" }, h("p", {}, message), hint ? h("p", {}, hint) : null, h("div", { class: "row" }, again)));
  }

  finish(status) {
    this.running = false;
    this.working = null;
    const { answer, parts } = this;
    const { steps } = answer;
    const seconds = answer.usage ? answer.usage.seconds : (performance.now() - this.began) / 1000;
    parts.steps.replaceChildren();
    if (steps.length && status !== "waiting") {
      const list = h("ol", {}, steps.map((step) => h("li", { class: `${step.parent ? "inner " : ""}${step.status || ""}` }, [step.label || step.node, step.note].filter(Boolean).join(": "))));
      parts.steps.append(h("details", { class: "steps" }, h("summary", {}, `${counted(steps.length, "step")}, ${seconds.toFixed(1)} s`), list));
    }
    if (status === "stopped") parts.notes.append(h("p", { class: "note" }, "Stopped."));
    if (status === "done") this.showEnd();
    if (status === "done" && !this.failed) announce(answer.text.replace(/\[\d+\]/g, ""));
    this.actions.ended(this);
  }

  showEnd() {
    const { answer, parts } = this;
    const end = [];
    if (answer.citations.length) end.push(h("button", { type: "button", class: "quiet", onclick: () => this.open() }, `Evidence (${answer.citations.length})`));
    end.push(h("button", { type: "button", class: "quiet", onclick: () => copyText(answer.text, "Answer") }, "Copy"));
    if (answer.usage) {
      const { usage, seconds } = answer.usage;
      const tokens = usage.prompt_tokens + usage.completion_tokens;
      end.push(h("span", { class: "cost" }, [`${seconds.toFixed(1)} s`, usage.calls ? counted(tokens, "token") : "no model call", money(usage.cost)].filter(Boolean).join(" · ")));
    }
    parts.end.replaceChildren(...end);
  }

  cutOff() {
    const goOn = h("button", { type: "button", onclick: () => this.actions.goOn(this) }, "Go on");
    this.parts.text.replaceChildren(h("p", { class: "note" }, "This answer was cut off."), h("div", { class: "row" }, goOn));
  }

  open(n) {
    this.actions.openEvidence(this, n);
  }

  load(message) {
    const { data } = message;
    this.answer.id = message.id;
    this.began = performance.now();
    for (const name of ["citations", "read_as", "answer", "choices", "usage", "rewritten", "error"]) if (data[name]) this.take({ type: name, ...data[name] });
    for (const text of data.warnings || []) this.take({ type: "warning", text: text.text || text });
    if (!data.answer && !data.choices && !data.error) { this.answer.text = message.text; this.parts.text.replaceChildren(...renderText(message.text, this.answer, () => {})); }
    if (data.answer) this.showEnd();
  }
}
