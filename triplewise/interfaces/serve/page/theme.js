// Light and dark: as the system has it, until a person chooses.

const KEY = "triplewise-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

const isDark = () => (localStorage.getItem(KEY) || (system.matches ? "dark" : "light")) === "dark";

export function applyTheme() {
  const chosen = localStorage.getItem(KEY);
  if (chosen) document.documentElement.dataset.theme = chosen;
}

export function themeButton(button) {
  const label = () => {
    const dark = isDark();
    button.textContent = dark ? "Light" : "Dark";
    button.setAttribute("aria-label", dark ? "Use light colours" : "Use dark colours");
  };
  applyTheme();
  label();
  system.addEventListener("change", label);
  button.addEventListener("click", () => {
    localStorage.setItem(KEY, isDark() ? "light" : "dark");
    applyTheme();
    label();
  });
}
