// Elements made by script: short functions for the content of panels.

import { ICONS } from "./icons.js";

/**
 * An element.
 *
 * @param {string} tag Its name; `button.primary.small` gives classes, too.
 * @param {object} properties Attributes; `onclick` and the like listen, `dataset` and `style` are
 *   objects, `class` adds classes; false, null and undefined are left out.
 * @param {...(Node|string|null|false|Array)} children
 */
export function h(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length) element.classList.add(...classes);
  for (const [key, value] of Object.entries(properties)) setOne(element, key, value);
  element.append(
    ...children.flat(9).filter((child) => child !== null && child !== false && child !== undefined),
  );
  return element;
}

function setOne(element, key, value) {
  if (value === false || value === null || value === undefined) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (key === "class") element.classList.add(...value.split(" ").filter(Boolean));
  else if (key === "dataset") Object.assign(element.dataset, value);
  else if (key === "style") Object.assign(element.style, value);
  else if (key === "value" || key === "checked" || key === "indeterminate") element[key] = value;
  else element.setAttribute(key, value === true ? "" : String(value));
}

/** An icon of `ui/icons.js`, hidden from screen readers. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 20 20", "aria-hidden": "true" })) {
    svg.setAttribute(key, value);
  }
  svg.classList.add("icon");
  for (const d of ICONS[name] ?? []) {
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

/**
 * A button.
 *
 * @param {string} label Its text, or, with `icon` and without `text: true`, its name and tooltip.
 */
export function button(label, onclick, options = {}) {
  const { icon: sign, text = !options.icon, keys, class: classes = "", ...rest } = options;
  const tip = keys ? `${label} (${keys})` : label;
  return h(
    "button.button",
    {
      type: "button",
      class: `${text ? "" : "icon-only"} ${classes}`,
      onclick,
      title: text && !keys ? null : tip,
      "aria-label": text ? null : label,
      "aria-keyshortcuts": keys ? keys.replaceAll("Ctrl", "Control").replaceAll(" ", "") : null,
      ...rest,
    },
    sign ? icon(sign) : null,
    text ? h("span", {}, label) : null,
  );
}

/** Replace the content of an element by children. */
export function fill(element, ...children) {
  element.replaceChildren(
    ...children.flat(9).filter((child) => child !== null && child !== false && child !== undefined),
  );
  return element;
}

/** True if a key pressed in this element is typing, and therefore not a shortcut. */
export function isTyping(target) {
  if (!target?.closest) return false;
  const field = target.closest("input, textarea, select, [contenteditable]");
  return Boolean(field) && !["range", "checkbox", "radio", "button", "color"].includes(field.type);
}
