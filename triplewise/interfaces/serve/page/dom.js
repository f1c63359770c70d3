// Elements without markup: texts only ever become text nodes, so that nothing in a graph or an answer is run.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export const byId = (id) => document.getElementById(id);

export function icon(path, size = 18) {
  const attributes = { viewBox: "0 0 24 24", width: size, height: size, fill: "none", stroke: "currentColor", "stroke-width": 2,
    "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true", focusable: "false" };
  return s("svg", attributes, s("path", { d: path }));
}

export const ICONS = {
  menu: "M4 7h16M4 12h16M4 17h16", send: "M12 19V6M6 11.5 12 5.5l6 6", stop: "M7 7h10v10H7z", close: "M6 6l12 12M18 6 6 18",
  more: "M6 12h.01M12 12h.01M18 12h.01", edit: "M4 20h4L19 9l-4-4L4 16z", plus: "M12 6v12M6 12h12", minus: "M6 12h12",
};

let speaking = 0;
export function announce(text) {
  const place = byId("said");
  place.textContent = "";
  clearTimeout(speaking);
  speaking = setTimeout(() => { place.textContent = text; }, 60);
}

export async function copyText(text, what) {
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch { // no clipboard on a page that is not served securely
    const area = h("textarea", { class: "sr", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
  }
  announce(done ? `${what} copied` : `${what} could not be copied`);
  return done;
}

export const counted = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
