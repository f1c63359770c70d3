// What belongs together lights up together: [n] in a text, edge n in the graph, row n in the table.

const SELECTOR = "[data-light]";

function keyed(key) {
  return document.querySelectorAll(`[data-light="${CSS.escape(key)}"]`);
}

function switchOn(event, on) {
  const element = event.target.closest?.(SELECTOR);
  if (element) for (const twin of keyed(element.dataset.light)) twin.classList.toggle("lit", on);
}

export function listenForLight(root = document) {
  for (const [name, on] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
    root.addEventListener(name, (event) => switchOn(event, on));
  }
}

export function lightFor(key, milliseconds) {
  for (const twin of keyed(key)) twin.classList.add("lit");
  setTimeout(() => { for (const twin of keyed(key)) if (!twin.matches(":hover, :focus")) twin.classList.remove("lit"); }, milliseconds);
}
