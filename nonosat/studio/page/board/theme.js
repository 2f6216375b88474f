// The board's colours, from the custom properties of the page (with values for pages without).

import { luminance, rgbOf } from "../state/colours.js";

const NAMES = {
  paper: ["--board-paper", "#fffefb"],
  unknown: ["--board-unknown", "#f4f0e7"],
  ink: ["--board-ink", "#26231d"],
  grid: ["--board-grid", "#d5cfc1"],
  gridStrong: ["--board-grid-strong", "#8d8676"],
  band: ["--board-band", "#efe9dc"],
  accent: ["--board-accent", "#0b6e69"],
  bad: ["--board-bad", "#b3261e"],
  good: ["--board-good", "#1f6b3a"],
  hint: ["--board-hint", "#b36b00"],
  soft: ["--board-soft", "#655f53"],
  earn: ["--board-earn", "#5b9bd5"],
  pay: ["--board-pay", "#f0a04b"],
  lit: ["--board-lit", "rgb(11 110 105 / 13%)"],
  wrong: ["--board-wrong", "rgb(179 38 30 / 13%)"],
};

/** The current theme of an element. */
export function readTheme(element) {
  const style = getComputedStyle(element);
  const theme = { font: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif' };
  for (const [key, [name, usual]] of Object.entries(NAMES)) {
    theme[key] = style.getPropertyValue(name).trim() || usual;
  }
  return theme;
}

/** Make a page without a switch of its own follow the system's light or dark theme. */
export function followTheme() {
  const query = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => (document.documentElement.dataset.theme = query.matches ? "dark" : "light");
  query.addEventListener("change", follow);
  follow();
}

/** Call `onChange` when the page changes between light and dark. */
export function onTheme(onChange) {
  const query = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ["data-theme", "class"],
  });
  query.addEventListener("change", onChange);
  return () => {
    observer.disconnect();
    query.removeEventListener("change", onChange);
  };
}

/** True if a picture is dark ink on white paper, which follows the theme. */
export function isPlain({ palette, background }) {
  return palette.length === 1 && luminance(palette[0]) < 0.05 && luminance(background) > 0.85;
}

/**
 * Colours of cells: dark ink on white paper follows the theme, other colours are shown unchanged.
 *
 * @returns {{paper: string, unknown: string, ink: string[], isPlain: boolean}} `ink[k - 1]` is
 *   colour k.
 */
export function sceneColours(scene, theme) {
  if (isPlain(scene))
    return { paper: theme.paper, unknown: theme.unknown, ink: [theme.ink], isPlain: true };
  return {
    paper: scene.background,
    unknown: blend(scene.background, "#8d8676", 0.12),
    ink: scene.palette,
    isPlain: false,
  };
}

/** Mix a colour with a share of another one. */
function blend(a, b, share) {
  const [from, to] = [rgbOf(a), rgbOf(b)];
  const hex = from.map((value, at) =>
    Math.round(value + (to[at] - value) * share)
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${hex.join("")}`;
}
