// The list of conversations: open, rename, export, delete.

import { get, getText, post, remove } from "./api.js";
import { ICONS, announce, byId, h, icon } from "./dom.js";

export class Threads {
  constructor(page) {
    this.page = page;
    this.list = byId("threads");
    this.opened = null;
  }

  async refresh() {
    const rows = await get("/api/threads").catch(() => null);
    if (!rows) return;
    const now = this.page.conversation.thread;
    const held = this.list.contains(document.activeElement) ? document.activeElement : null;
    const of = held?.closest("li")?.dataset.id || "";
    const used = new Map([...this.list.querySelectorAll(".acts")].map((acts) => [acts.parentElement.dataset.id, acts]));
    this.list.replaceChildren(...rows.map((row) => this.row(row, row.id === now, used.get(row.id))));
    if (!rows.length) this.list.append(h("li", {}, h("span", { class: "empty" }, "None yet. What you ask is kept here, on this machine.")));
    const again = `li[data-id="${CSS.escape(of)}"] ${held?.classList.contains("more") ? ".more" : ".open"}`;
    (held?.isConnected ? held : held && this.list.querySelector(again))?.focus();
    const title = rows.find((row) => row.id === now)?.title;
    document.querySelector("#bar .where").textContent = title || this.page.graph;
    document.title = title ? `${title} · triplewise` : "triplewise";
  }

  // The actions that somebody has open stay open, with what they typed, when the list is read anew.
  row(row, now, acts) {
    const title = row.title || "Untitled";
    const open = h("button", { type: "button", class: "open", "aria-current": now ? "true" : null, title: `${title} (${row.kg})`, onclick: () => this.page.openThread(row.id) }, row.waiting ? `${title} …` : title);
    const more = h("button", { type: "button", class: "quiet more", "aria-label": `More for ${title}`, "aria-expanded": String(Boolean(acts)) }, icon(ICONS.more, 16));
    const item = h("li", { class: now ? "now" : "", "data-id": row.id }, open, more, acts);
    more.addEventListener("click", () => {
      const shown = item.querySelector(".acts");
      more.setAttribute("aria-expanded", String(!shown));
      if (shown) shown.remove();
      else item.append(this.actions(row));
    });
    return item;
  }

  actions(row) {
    const acts = h("div", { class: "acts" });
    const close = () => {
      const more = acts.previousElementSibling;
      acts.remove();
      more.setAttribute("aria-expanded", "false");
      more.focus();
    };
    const button = (name, act, danger) => h("button", { type: "button", class: `quiet${danger ? " danger" : ""}`, onclick: act }, name);
    const rename = () => {
      const field = h("input", { "aria-label": "New title", maxlength: 200 });
      field.value = row.title;
      const done = async () => {
        await post(`/api/threads/${encodeURIComponent(row.id)}/rename`, { title: field.value.trim() || row.title });
        close();
        await this.refresh();
      };
      field.addEventListener("keydown", (event) => {
        if (event.key === "Enter") done();
        if (event.key === "Escape") { event.stopPropagation(); close(); }
      });
      acts.replaceChildren(field, button("Save", done));
      field.select();
    };
    const save = async () => {
      const text = await getText(`/api/threads/${encodeURIComponent(row.id)}/export?format=markdown`);
      const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "text/markdown" })), download: `${(row.title || "conversation").replace(/[^\p{L}\p{N} _-]/gu, "").slice(0, 60) || "conversation"}.md` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    };
    const drop = () => {
      acts.replaceChildren(h("span", { class: "empty" }, "Delete it for good?"), button("Delete", async () => {
        await remove(`/api/threads/${encodeURIComponent(row.id)}`);
        announce("Conversation deleted");
        if (row.id === this.page.conversation.thread) this.page.newQuestion();
        await this.refresh();
      }, true), button("Keep", close));
      acts.querySelector("button").focus();
    };
    acts.append(button("Rename", rename), button("Export", save), button("Delete", drop, true));
    return acts;
  }
}
