// The conversation that is shown: its turns, the composer, and the evidence beside it.

import { ServerError, get, post, turn as streamTurn } from "./api.js";
import { ICONS, announce, byId, h, icon } from "./dom.js";
import { lightFor } from "./light.js";
import { showPanel } from "./panel.js";
import { Turn } from "./turn.js";

const wide = matchMedia("(min-width: 1081px)");

export class Conversation {
  constructor(page) {
    this.page = page;
    this.log = byId("log");
    this.question = byId("question");
    this.clear();
    byId("ask").addEventListener("submit", (event) => { event.preventDefault(); this.submit(); });
    this.question.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      if (this.running) announce("Still answering. Escape stops."); // who types on keeps both: the answer and the text
      else this.submit();
    });
    this.question.addEventListener("input", () => this.grow());
    this.log.addEventListener("wheel", (event) => { if (event.deltaY < 0) this.away = true; }, { passive: true });
    this.log.addEventListener("touchmove", () => { this.away = true; }, { passive: true });
    this.log.addEventListener("keydown", (event) => { if (["PageUp", "Home", "ArrowUp"].includes(event.key)) this.away = true; });
    this.showSend();
  }

  get running() { return this.turns.some((turn) => turn.running); }

  clear() {
    this.abort?.abort();
    this.turns = [];
    this.thread = null;
    this.log.replaceChildren();
    this.closeEvidence();
  }

  grow() {
    this.question.style.height = "auto";
    this.question.style.height = `${this.question.scrollHeight}px`;
  }

  showSend() {
    byId("send").replaceChildren(icon(this.running ? ICONS.stop : ICONS.send, 20));
    byId("send").setAttribute("aria-label", this.running ? "Stop" : "Send");
  }

  submit() {
    if (this.running) return this.stop();
    const text = this.question.value.trim();
    if (!text) return undefined;
    this.question.value = "";
    this.grow();
    return this.ask(text);
  }

  ask(text) {
    if (!this.turns.length) this.log.replaceChildren();
    const waiting = this.turns.find((turn) => turn.waiting);
    if (waiting) for (const button of waiting.parts.choices.querySelectorAll("button")) button.disabled = true;
    if (waiting) waiting.waiting = false;
    const turn = this.add(text);
    return this.run(turn, "/api/turn", { text, thread_id: this.thread, kg: this.thread ? null : this.page.graph || null });
  }

  add(text) {
    const turn = new Turn(text, {
      resend: (which, edited) => this.resend(which, edited),
      goOn: (which) => this.run(which, "/api/turn/resume", { thread_id: this.thread }),
      choose: (which, option) => this.run(which, "/api/turn/resume", { thread_id: this.thread, choice: option.id }),
      readAs: (which, i) => this.readAs(which, i),
      ended: (which) => this.ended(which),
      openEvidence: (which, n) => this.openEvidence(which, n),
      focusIfIdle: (element) => { if (!this.question.value && (document.activeElement === this.question || document.activeElement === document.body)) element.focus(); },
    });
    this.turns.push(turn);
    this.log.append(turn.element);
    return turn;
  }

  readAs(which, i) {
    return this.run(which, "/api/turn/read-as", { thread_id: this.thread, message_id: which.answer.id, reading: i });
  }

  async run(turn, path, body) {
    if (this.running) return;
    const abort = this.abort = new AbortController();
    turn.start();
    this.away = false;
    this.showSend();
    turn.element.scrollIntoView({ block: "start", behavior: "smooth" });
    try {
      for await (const event of streamTurn(path, body, abort.signal)) {
        if (abort.signal.aborted) break;
        if (event.type === "done" && event.thread_id) this.adopt(event.thread_id);
        turn.take(event);
        this.follow(turn);
      }
      if (turn.running) turn.finish(turn.failed ? "failed" : "stopped");
    } catch (error) {
      if (error.name === "AbortError") turn.finish("stopped");
      else {
        turn.fail(error instanceof ServerError ? error.message : "The connection was lost.", error.hint);
        turn.finish("failed");
      }
    }
    if (this.abort !== abort) return; // another conversation is shown by now
    this.abort = null;
    this.page.threadsChanged();
    this.identify(turn);
  }

  // The evidence is drawn with the end of the answer, not when the server has closed its stream.
  ended(turn) {
    if (!this.turns.includes(turn)) return; // another conversation is shown by now
    this.showSend();
    this.showProof(turn);
    this.follow(turn); // beside the evidence there is less room for it
  }

  showProof(turn) {
    byId("show-evidence").hidden = !this.turns.some((t) => t.answer.citations.length);
    if (turn?.answer.citations.length && wide.matches) this.openEvidence(turn);
  }

  adopt(thread) {
    if (this.thread === thread) return;
    this.thread = thread;
    history.replaceState(null, "", `#t=${encodeURIComponent(thread)}`);
  }

  // The end of the answer comes into view, its question stays there; who scrolls up meanwhile is left alone.
  follow(turn) {
    if (this.away) return;
    const { log } = this;
    const seen = log.getBoundingClientRect(), whole = turn.element.getBoundingClientRect();
    const by = Math.min(whole.bottom - seen.bottom + 12, whole.top - seen.top - 12);
    if (by > 0) log.scrollTop += by;
  }

  async stop() {
    const { abort, thread } = this;
    if (thread) post("/api/turn/stop", { thread_id: thread }).catch(() => {});
    setTimeout(() => abort?.abort(), thread ? 900 : 0);
    announce("Stopping");
  }

  // The ids of what a person said are the server's: they are looked up when needed to branch off.
  async identify(turn) {
    if (!this.thread) return;
    const thread = this.thread;
    const messages = await get(`/api/threads/${encodeURIComponent(thread)}`).catch(() => []);
    const at = messages.findIndex((m) => m.id === turn.answer.id);
    const before = messages.slice(0, at < 0 ? messages.length : at).filter((m) => m.role === "user");
    turn.userId = before.find((m) => m.text === turn.asked && !this.turns.some((t) => t !== turn && t.userId === m.id))?.id || before.pop()?.id || null;
  }

  async resend(which, text) {
    if (this.running) return;
    const at = this.turns.indexOf(which);
    try {
      if (!which.userId) await this.identify(which);
      if (which.userId) this.adopt((await post(`/api/threads/${encodeURIComponent(this.thread)}/fork`, { message_id: which.userId })).id);
    } catch (error) {
      which.fail(error.message, error.hint);
      return;
    }
    for (const turn of this.turns.splice(at)) turn.element.remove();
    await this.ask(text);
  }

  async open(thread) {
    this.clear();
    const messages = await get(`/api/threads/${encodeURIComponent(thread)}`);
    this.thread = thread;
    let turn = null;
    for (const message of messages) {
      if (message.role === "user") {
        turn = this.add(message.text);
        turn.userId = message.id;
      } else (turn ??= this.add("…")).load(message);
    }
    const last = messages[messages.length - 1];
    const settled = !last || last.role !== "assistant" || !last.data.choices || last.data.answer;
    if (last?.role === "assistant" && turn && settled && !last.data.answer && ["running", "stopped", "failed"].includes(last.status)) turn.cutOff();
    for (const t of this.turns) {
      t.waiting = t === turn && !settled;
      if (!t.waiting) for (const button of t.parts.choices.querySelectorAll("button")) button.disabled = true;
    }
    this.showProof(this.turns.filter((t) => t.answer.citations.length).pop());
    this.log.scrollTop = this.log.scrollHeight;
  }

  openEvidence(turn, n) {
    const place = byId("evidence");
    document.body.classList.add("with-evidence");
    if (!wide.matches) document.body.classList.add("sheet");
    const { page } = this;
    showPanel(place, turn.answer, {
      title: turn.asked,
      get kg() { return page.graph; }, // an answer may be here before the page knows of which graph
      ask: (label) => { this.question.value = `${label}: `; this.closeEvidence(true); this.question.focus(); this.grow(); },
      close: () => this.closeEvidence(),
    });
    this.shown = turn;
    if (!wide.matches) place.querySelector(".e-head button")?.focus();
    if (n) lightFor(`${turn.answer.id}:${n}`, 2500);
  }

  closeEvidence(sheetOnly) {
    const back = document.body.classList.contains("sheet");
    document.body.classList.remove("sheet");
    if (!sheetOnly) document.body.classList.remove("with-evidence");
    if (back && !sheetOnly) this.shown?.parts.end.querySelector("button")?.focus();
  }
}

export function firstPage(start, ask) {
  const { overview, suggestions } = start;
  const facts = (rows) => h("ul", { class: "facts" }, rows.map(([name, n]) => h("li", {}, name, h("span", {}, n.toLocaleString("en")))));
  const things = `${overview.triples.toLocaleString("en")} facts about ${overview.entities.toLocaleString("en")} things.`;
  const parts = [h("h2", {}, `Ask ${overview.kg}`), h("p", {}, `${things} Every answer shows the facts that prove it.`)];
  if (suggestions.length) {
    parts.push(h("h3", {}, "You could ask"), h("div", { class: "suggest" }, suggestions.map((text) => h("button", { type: "button", onclick: () => ask(text) }, text))));
  }
  if (overview.classes.length) parts.push(h("h3", {}, "What is in it"), facts(overview.classes.slice(0, 12)));
  if (overview.relations.length) parts.push(h("h3", {}, "How it is linked"), facts(overview.relations.slice(0, 14)));
  return h("section", { class: "first", "aria-label": "What you can ask" }, parts);
}
