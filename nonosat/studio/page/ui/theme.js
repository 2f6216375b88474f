// The theme, light or dark: the system's or the selected one.

import { button, fill, icon } from "./dom.js";

const KEY = "nonosat/theme";
const CHOICES = ["auto", "light", "dark"];
const ICON_OF = { auto: "auto", light: "sun", dark: "moon" };

/** The button that switches to the next theme. */
export function themeButton() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = CHOICES.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : "auto";
  const element = button(
    "Theme",
    () => {
      chosen = CHOICES[(CHOICES.indexOf(chosen) + 1) % CHOICES.length];
      localStorage.setItem(KEY, chosen);
      apply();
    },
    { icon: "auto", class: "quiet" },
  );
  const apply = () => {
    const theme = chosen === "auto" ? (system.matches ? "dark" : "light") : chosen;
    document.documentElement.dataset.theme = theme;
    fill(element, icon(ICON_OF[chosen]));
    const label = `Theme: ${chosen === "auto" ? "as the system" : chosen}`;
    element.setAttribute("aria-label", label);
    element.title = label;
  };
  system.addEventListener("change", apply);
  apply();
  return element;
}
