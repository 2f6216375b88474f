// The palette of a picture: add, change and remove colours.

import { COLOURS, MAX_COLOURS, withCells } from "./document.js";

/** Add a colour: the given one, or the first default colour that is not used yet. */
export function withColour(
  doc,
  colour = COLOURS.find((one) => !doc.palette.includes(one)) ?? "#888888",
) {
  if (doc.palette.length >= MAX_COLOURS) return doc;
  return { ...doc, palette: [...doc.palette, colour] };
}

/** Change the appearance of colour `index` (from 1; 0 is the background). */
export function recoloured(doc, index, colour) {
  if (index === 0) return { ...doc, background: colour };
  return { ...doc, palette: doc.palette.map((old, at) => (at === index - 1 ? colour : old)) };
}

/** Remove colour `index`: its cells become empty, colours after it move up. The last one stays. */
export function withoutColour(doc, index) {
  if (doc.palette.length < 2) return doc;
  const cells = doc.cells.map((value) => (value === index ? 0 : value > index ? value - 1 : value));
  return withCells(doc, cells, { palette: doc.palette.filter((_, at) => at !== index - 1) });
}

/** The number of cells of each colour, the empty ones first. */
export function usedColours(doc) {
  const counts = new Array(doc.palette.length + 1).fill(0);
  for (const value of doc.cells) counts[value] += 1;
  return counts;
}
