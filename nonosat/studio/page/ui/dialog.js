// Dialogs and menus: the browser's own dialog element, which keeps the focus and closes on Escape.

import { button, h } from "./dom.js";

let number = 0;

/**
 * A modal dialog, shown at once.
 *
 * @param {string} title
 * @param {(Node|string)[]} content
 * @param {{label: string, primary?: boolean, run?: () => (boolean|void|Promise<boolean|void>)}[]}
 * actions
 *   Buttons at its foot; `run` keeps the dialog open by returning false.
 * @returns {{element: HTMLDialogElement, close: () => void}}
 */
export function showDialog(title, content, actions = [], { wide = false } = {}) {
  number += 1;
  const id = `dialog-${number}`;
  const element = h("dialog.dialog", { "aria-labelledby": id, class: wide ? "wide" : "" });
  const close = () => element.close();
  const form = h("form.dialog-form", { method: "dialog" });
  const foot = actions.map((action) => actionButton(action, close));
  form.append(
    h(
      "div.dialog-head",
      {},
      h("h2", { id }, title),
      button("Close", close, { icon: "close", class: "quiet" }),
    ),
    h("div.dialog-body.stack", {}, content),
    foot.length ? h("div.dialog-foot.row", {}, foot) : "",
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    foot.find((item) => item.classList.contains("primary"))?.click();
  });
  element.append(form);
  element.addEventListener("click", (event) => event.target === element && close());
  const body = form.querySelector(".dialog-body");
  // A text without controls must take the focus, so that keys can scroll it.
  if (!body.querySelector("a, button, input, select, textarea")) body.tabIndex = 0;
  element.addEventListener("close", () => element.remove());
  document.body.append(element);
  element.showModal();
  const first = element.querySelector(".dialog-body :is(input, textarea, select):not([readonly])");
  (first ?? foot.find((item) => item.classList.contains("primary")))?.focus();
  return { element, close };
}

function actionButton({ label, primary = false, run }, close) {
  const work = async () => {
    if (!run || (await run()) !== false) close();
  };
  return button(label, work, { class: primary ? "primary" : "" });
}

/**
 * @typedef {{label: string, run: () => void, hint?: string, detail?: string, disabled?: boolean}|{title: string}}
 *   Item
 */

/**
 * A menu beneath a button: arrow keys move in it, Escape and a click elsewhere close it.
 *
 * @param {HTMLButtonElement} opener
 * @param {() => Promise<Item[]>} items Called each time the menu opens.
 */
export function attachMenu(opener, items) {
  opener.setAttribute("aria-haspopup", "menu");
  opener.setAttribute("aria-expanded", "false");
  let menu = null;
  const close = (toOpener) => {
    if (!menu) return;
    menu.remove();
    menu = null;
    opener.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    if (toOpener) opener.focus();
  };
  const outside = (event) => {
    if (!menu?.contains(event.target) && !opener.contains(event.target)) close(false);
  };
  const open = async () => {
    const all = await items();
    if (menu) return;
    menu = h("div.menu", { role: "menu", onkeydown: (event) => walk(event, menu, close) });
    menu.append(...all.map((item) => menuItem(item, close)));
    opener.after(menu);
    place(menu, opener.getBoundingClientRect());
    opener.setAttribute("aria-expanded", "true");
    document.addEventListener("pointerdown", outside, true);
    menu.querySelector("[role=menuitem]:not([aria-disabled])")?.focus();
  };
  opener.addEventListener("click", () => (menu ? close(true) : open()));
  opener.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && !menu) {
      event.preventDefault();
      open();
    }
  });
}

function menuItem(item, close) {
  if (item.title) return h("div.menu-title", { role: "presentation" }, item.title);
  const run = () => {
    if (item.disabled) return;
    close(true);
    item.run();
  };
  return h(
    "button.menu-item",
    {
      type: "button",
      role: "menuitem",
      tabindex: "0",
      onclick: run,
      "aria-disabled": item.disabled && "true",
    },
    h("span", {}, item.label),
    item.hint ? h("span.menu-hint", {}, item.hint) : null,
    item.detail ? h("span.menu-detail", {}, item.detail) : null,
  );
}

function walk(event, menu, close) {
  const all = [...menu.querySelectorAll("[role=menuitem]")];
  const at = all.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    all[(to + all.length) % all.length].focus();
  } else if (event.key === "Escape" || event.key === "Tab") {
    event.preventDefault();
    close(true);
  } else if (event.key.length === 1 && event.key !== " ") {
    event.preventDefault(); // a letter must not be a shortcut of the page here
    const rest = [...all.slice(at + 1), ...all.slice(0, at + 1)];
    rest
      .find((item) => item.textContent.toLowerCase().startsWith(event.key.toLowerCase()))
      ?.focus();
  }
}

/** Place the menu below its button, inside the window. */
function place(menu, box) {
  const { width, height } = menu.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, innerWidth - width - 8));
  const below = box.bottom + 4 + height <= innerHeight - 8;
  menu.style.left = `${left}px`;
  menu.style.top = `${below ? box.bottom + 4 : Math.max(8, box.top - height - 4)}px`;
}
