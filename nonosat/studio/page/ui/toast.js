// Short messages over the page, which do not change its layout.

import { button, h } from "./dom.js";

const STAYS = 6000; // ms; errors stay until they are closed

/**
 * @param {HTMLElement} host
 * @returns {(text: string, options?: {error?: boolean, stays?: boolean, action?: {label: string,
 * run: () => void}}) => () => void}
 *   Shows a line; what it returns takes the line away. `stays`: nothing else but a person does.
 */
export function createToasts(host) {
  return (text, { error = false, stays = error, action = null } = {}) => {
    const close = () => line.remove();
    const act = () => {
      close();
      action.run();
    };
    const line = h(
      "div.toast",
      { class: error ? "bad" : "" },
      h("span", {}, text),
      action ? button(action.label, act, { class: "small" }) : null,
      button("Close", close, { icon: "close", class: "small" }),
    );
    while (host.children.length > 2) host.firstChild.remove();
    host.append(line);
    if (!stays) setTimeout(close, action ? STAYS * 2 : STAYS);
    return close;
  };
}

/** Announce a sentence to screen readers, also if it equals the previous one. */
export function createAnnouncer(host) {
  let flip = false;
  return (text) => {
    flip = !flip;
    host.textContent = flip ? text : `${text}\u00a0`;
  };
}
