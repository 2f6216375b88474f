// A message while an answer takes long, and a button that cancels it. Nothing appears for answers
// without delay.

import { button, h } from "./dom.js";

export const SLOW_MS = 200; // no activity is shown before

/**
 * A row for a panel, hidden until an answer takes long.
 *
 * @param {(() => void)|null} stop Cancels the question; null if another button does.
 * @returns {{element: HTMLElement, show: (text: string) => void}} `show` sets the current
 *   activity; "" is none.
 */
export function createBusyLine(stop = null) {
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
