// Clues: the runs of a line, and clues as people type them.

import { COLOUR_LETTERS } from "./colours.js";

/**
 * The clue of any line of cells.
 *
 * @param {Uint8Array} cells
 * @param {number} first Index of the line's first cell.
 * @param {number} step From a cell to the next one.
 * @param {number} count Cells in the line.
 * @returns {{length: number, colour: number}[]} Runs of one colour each, in order.
 */
function clueOfLine(cells, first, step, count) {
  const clue = [];
  let before = 0;
  for (let at = 0, index = first; at < count; at += 1, index += step) {
    const colour = cells[index];
    if (colour && colour === before) clue[clue.length - 1].length += 1;
    else if (colour) clue.push({ length: 1, colour });
    before = colour;
  }
  return clue;
}

export const clueOfRow = (cells, width, row) => clueOfLine(cells, row * width, 1, width);

export const clueOfColumn = (cells, width, height, column) =>
  clueOfLine(cells, column, width, height);

/** True if two clues are equal; null is an unknown clue. */
export function sameClue(a, b) {
  if (a === b) return true;
  if (!a || !b || a.length !== b.length) return false;
  return a.every(({ length, colour, done }, at) => {
    const other = b[at];
    return (
      length === other.length && colour === other.colour && Boolean(done) === Boolean(other.done)
    );
  });
}

/** The fewest cells that a clue needs: neighbouring blocks of the same colour need a gap. */
export function neededBy(clue) {
  let cells = 0;
  clue.forEach((block, at) => {
    cells += (block.length ?? 1) + (at && clue[at - 1].colour === block.colour ? 1 : 0);
  });
  return cells;
}

/** A clue for people: "3 1", in several colours "3a 1b", unknown lengths "?", an empty one "0". */
export function textOfClue(clue, isColoured = false) {
  const block = ({ length, colour }) => {
    const letter = isColoured ? COLOUR_LETTERS[colour - 1] : "";
    return `${length ?? "?"}${letter}`;
  };
  return clue.length ? clue.map(block).join(" ") : "0";
}

/**
 * The clue in a typed text.
 *
 * @param {string} text "3 1", "3,1", "3a 1b"; "" and "0" are the empty clue, "?" is unknown.
 * @param {number} colours Colours in the palette; with one, letters may be left out.
 * @returns {{clue?: object[], error?: string}}
 */
export function clueOfText(text, colours = 1) {
  const words = text.split(/[\s,;.]+/).filter(Boolean);
  if (words.length === 0 || (words.length === 1 && words[0] === "0")) return { clue: [] };
  const clue = [];
  for (const word of words) {
    const found = /^(\d{1,4}|\?)([a-z])?$/.exec(word.toLowerCase());
    if (!found) return { error: `“${word}” is not a block. Write lengths with spaces: 3 1 2.` };
    const length = found[1] === "?" ? null : Number(found[1]);
    if (length === 0)
      return { error: "A block has at least 1 cell. Leave 0 out, or write it alone." };
    const colour = found[2] ? COLOUR_LETTERS.indexOf(found[2]) + 1 : 1;
    if (!colour) {
      const letters = [...COLOUR_LETTERS.slice(0, colours)].join(" ");
      return { error: `“${word}”: no colour has the letter ${found[2]}. There are ${letters}.` };
    }
    if (!found[2] && colours > 1)
      return { error: `“${word}” has no colour. Write ${word}a for the first.` };
    if (colour > colours) return { error: `“${word}”: the palette has ${colours} colours only.` };
    clue.push({ length, colour });
  }
  return { clue };
}

/** Blocks in the form of the library's JSON: a length, or [length, key] if colours have keys. */
export function dataOfClue(clue, keys) {
  return clue.map((block) => (keys.length ? [block.length, keys[block.colour - 1]] : block.length));
}
