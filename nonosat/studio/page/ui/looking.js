// What is said while an answer takes long, and a button that calls it off. Nothing appears at what
// is answered at once.

import { button, h } from "./dom.js";

export const SLOW_MS = 200; // nothing says "looking" before

/**
 * A row for a panel, hidden until an answer takes long.
 *
 * @param {(() => void)|null} stop Calls the question off; null where another button does.
 * @returns {{element: HTMLElement, show: (text: string) => void}} `show` says what is looked for
 *   now; "" is nothing.
 */
export function createLooking(stop = null) {
  const words = h("span.muted");
  const element = h(
    "div.row",
    { hidden: true },
    words,
    stop && button("Stop", stop, { class: "small" }),
  );
  let timer = 0;
  return {
    element,
    show(text) {
      if (words.textContent === text) return;
      clearTimeout(timer);
      words.textContent = text;
      if (text) timer = setTimeout(() => (element.hidden = false), SLOW_MS);
      else element.hidden = true;
    },
  };
}
