// Legend of the colours' letters in the library's sentences.

import { namesOfPalette } from "../state/colours.js";
import { fill, h } from "../ui/dom.js";

/** Fill an element with each colour, its letter and its name; hide it if there is one colour. */
export function showInks(element, { family, palette, signs }) {
  element.hidden = family !== "nonogram" || palette.length < 2;
  if (element.hidden) return;
  const names = namesOfPalette(palette);
  fill(
    element,
    palette.map((colour, at) => {
      const swatch = h("span.ink");
      swatch.style.backgroundColor = colour;
      return h("span", {}, swatch, h("b", {}, signs[at + 1]), names[at]);
    }),
  );
}
