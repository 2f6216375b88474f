// Packs: files of several puzzles, which the browser stores, with titles that stay hidden until
// their puzzle is solved. Also the entries of the gallery, and which of them are solved and shown.

import { firstMarks, solves } from "../play/model.js";
import { nameOf, puzzleOf } from "../play/puzzle.js";
import { fromPuzzle } from "../state/document.js";
import { GALLERY } from "../state/reduce.js";

const PLACE = "nonosat/packs"; // in localStorage
const MOST = 20; // packs; older ones are removed

const isPack = (one) => typeof one?.name === "string" && Array.isArray(one.puzzles);
const areEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Storage of packs `{ name, puzzles, difficulties }`, with DATA of the puzzles and, once they are
 * rated, a number or null each.
 *
 * @param {Storage|null} storage localStorage; null stores nothing.
 */
export function createPacks(storage) {
  const list = () => {
    try {
      const stored = JSON.parse(storage.getItem(PLACE));
      return Array.isArray(stored) ? stored.filter(isPack) : [];
    } catch {
      return []; // no storage, or content written by another program
    }
  };
  const save = (packs) => storage.setItem(PLACE, JSON.stringify(packs));
  const without = (name) => list().filter((pack) => pack.name !== name);
  return {
    list,
    /**
     * Store a pack as the first one, in place of an equal one, and return its name, which gets a
     * number if another pack has it; return "" if there is no room.
     */
    add(pack) {
      const others = list().filter((other) => !areEqual(other.puzzles, pack.puzzles));
      const isTaken = (name) => others.some((other) => other.name === name);
      let { name } = pack;
      for (let number = 2; isTaken(name); number += 1) name = `${pack.name} (${number})`;
      try {
        save([{ ...pack, name }, ...others].slice(0, MOST));
        return name;
      } catch {
        return "";
      }
    },
    remove: (name) => save(without(name)),
    /** Add the difficulties to a stored pack, unless it was removed or replaced. */
    rate(name, puzzles, difficulties) {
      const isSame = (pack) => pack.name === name && areEqual(pack.puzzles, puzzles);
      save(list().map((pack) => (isSame(pack) ? { ...pack, difficulties } : pack)));
    },
  };
}

/** An entry of a pack: its document has a number in place of the title, which the end reveals. */
export function entryOfPack({ name, puzzles, difficulties = [] }, at) {
  const hiddenTitle = `Puzzle ${at + 1}`;
  const title = puzzles[at].title || hiddenTitle;
  const doc = { ...fromPuzzle(puzzles[at]), title: `${name}, ${hiddenTitle}`, secretTitle: title };
  const key = `${GALLERY}pack-${nameOf(puzzleOf(doc))}`;
  return { key, hiddenTitle, title, doc, difficulty: difficulties[at] };
}

/** An entry of the gallery. */
export function entryOfGallery({ id, family, title, puzzle, difficulty }) {
  const doc = fromPuzzle({ ...puzzle, title: puzzle.title ?? title });
  return { key: `${GALLERY}${family}-${id}`, hiddenTitle: title, title, doc, difficulty };
}

/**
 * The solution that the player has found, a value a place; null if the puzzle is not solved.
 *
 * @param {object} doc
 * @param {object} progress As `createProgress` makes it.
 */
export function solutionFound(doc, progress) {
  const puzzle = puzzleOf(doc);
  const marks = progress.solution(nameOf(puzzle));
  return marks?.length === firstMarks(puzzle).length && solves(puzzle, marks) ? marks : null;
}

/** Sizes by which puzzles are filtered: the longer side, up to a number of cells. */
export const SIZES = { "": "Any size", 10: "up to 10", 20: "11 to 20", 200: "over 20" };

const sizeOf = ({ height, width }) =>
  Object.keys(SIZES).find((most) => most && Math.max(height, width) <= Number(most));

/**
 * True if an entry passes a filter.
 *
 * @param {object} entry
 * @param {{size: string, grade: string}} filter A key of `SIZES`; a grade, the whole part of a
 *   difficulty; "" passes all.
 */
export function passes({ doc, difficulty }, { size, grade }) {
  const isGrade = !grade || (difficulty && String(Math.floor(difficulty)) === grade);
  return Boolean(isGrade) && (!size || sizeOf(doc) === size);
}
