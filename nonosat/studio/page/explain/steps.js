// Explanations as stories: the board after a number of steps, and the marks of a step. A story has
// `kind` ("whole", "clash" or "reason"), `steps` as in the library's JSON, `lines` that are lit
// before the first step, `clash`, the lines whose clues contradict each other, `legend`, and `cell`
// if it is about one.

import { valueOf } from "../play/puzzle.js";
import { edgeAt, edgeCount } from "../board/lattice.js";

/** The whole explanation as a story. */
export function wholeStory(found) {
  return {
    kind: "whole",
    steps: found.steps,
    lines: [],
    clash: found.contradiction?.lines ?? [],
    legend: found.legend,
    cell: null,
    sentence: "The puzzle as it is given.",
  };
}

/** The steps by which clues contradict each other, the contradiction as the last one; null without
 * any.
 */
export function clashStory(found) {
  const clash = found.contradiction;
  if (!clash) return null;
  const end = clash.end
    ? [{ technique: "contradiction", settled: [], lines: lastLines(clash), sentence: clash.end }]
    : [];
  return {
    kind: "clash",
    steps: [...clash.steps, ...end],
    lines: clash.lines,
    clash: clash.lines,
    legend: found.legend,
    cell: null,
    sentence: clash.sentence,
  };
}

/** The violated line, which the last sentence names; all lines if it is unknown. */
function lastLines({ end, lines }) {
  const named = lines.filter((line) =>
    end.startsWith("row" in line ? `Row ${line.row + 1} ` : `Column ${line.column + 1} `),
  );
  return named.length ? named : lines;
}

/** The reason of a cell's value as a story. */
export function reasonStory(found) {
  return {
    kind: "reason",
    steps: found.steps,
    lines: found.lines,
    clash: [],
    legend: found.legend,
    cell: found.cell,
    sentence: found.sentence,
    isSmallest: found.strength === "smallest",
  };
}

/** The number of the place of a mark: a cell's or an edge's. */
function placeOf(mark, puzzle) {
  return puzzle.family === "slitherlink"
    ? edgeAt(puzzle.height, puzzle.width, mark)
    : mark[0] * puzzle.width + mark[1];
}

/**
 * The board after a number of steps of a story.
 *
 * @param {object} puzzle As `puzzleOf` returns it.
 * @param {object} story
 * @param {number} at 0 is the puzzle as it is given.
 * @returns {Uint8Array} A value a cell (of a Slitherlink an edge), 255 if it is open.
 */
export function boardAfter(puzzle, story, at) {
  const isLoop = puzzle.family === "slitherlink";
  const count = isLoop ? edgeCount(puzzle.height, puzzle.width) : puzzle.height * puzzle.width;
  const board = new Uint8Array(count).fill(255);
  for (const mark of puzzle.given ?? []) board[placeOf(mark, puzzle)] = mark[2];
  for (const step of story.steps.slice(0, at)) {
    for (const mark of step.settled)
      board[placeOf(mark, puzzle)] = valueOf(mark.at(-1), puzzle, story.legend);
  }
  return board;
}

/** The number of the first step that settles a place (cell, or corners of an edge); 0 for none. */
export function stepThatSettles(puzzle, story, place) {
  const target = placeOf(place, puzzle);
  return (
    story.steps.findIndex((step) => step.settled.some((mark) => placeOf(mark, puzzle) === target)) +
    1
  );
}

/**
 * Marks after a number of steps: the cells that the last one decides, assumes and uses.
 *
 * @returns {object[]} Marks of a scene.
 */
export function marksAfter(puzzle, story, at) {
  const step = story.steps[at - 1];
  const isHere = (mark) => mark[0] === story.cell[0] && mark[1] === story.cell[1];
  const marks = [];
  if (story.cell && !step?.settled.some(isHere)) marks.push(markOf(story.cell, "hint", puzzle));
  if (!step) return marks;
  for (const cell of step.cells ?? []) marks.push({ row: cell[0], column: cell[1], kind: "lit" });
  for (const edge of step.edges ?? []) marks.push({ edge, kind: "lit" });
  for (const corner of step.corners ?? []) marks.push({ corner, kind: "lit" });
  const isThin = Boolean(step.prices); // there may be hundreds, and they cover numbers
  for (const mark of [...step.settled, ...(step.ruled_out ?? [])])
    marks.push({ ...markOf(mark, "settled", puzzle), ...(isThin && { isThin }) });
  return [...marks, ...triedBy(step, puzzle)];
}

/**
 * Assumptions of a step, and their consequences. A chain removes values from cells: with one
 * colour, that determines the remaining value.
 */
function triedBy({ assumed, chain = [] }, puzzle) {
  if (puzzle.family === "slitherlink") {
    const edges = assumed ? [assumed, ...chain] : chain;
    return edges.map((mark) => ({ ...markOf(mark, "tried", puzzle), isOff: mark[4] === "x" }));
  }
  const gone = puzzle.palette.length === 1 ? chain.flatMap((link) => link.rules_out) : [];
  const marks = gone.map((mark) => ({
    ...markOf(mark, "tried", puzzle),
    colour: mark[2] === "." ? 1 : 0,
  }));
  return assumed ? [...marks, markOf(assumed, "assumed", puzzle)] : marks;
}

function markOf(mark, kind, puzzle) {
  if (puzzle.family === "slitherlink") return { edge: mark.slice(0, 4), kind };
  return { row: mark[0], column: mark[1], kind };
}

/**
 * The highlighted lines after a number of steps. Steps by prices use all lines and highlight only
 * the selected one.
 *
 * @param {object|null} chosen The selected line.
 */
export function linesAfter(story, at, chosen = null) {
  const clash = story.clash.map((line) => ({ ...lineOf(line), kind: "clash" }));
  const step = story.steps[at - 1];
  const isWrong = step ? step.technique === "contradiction" : story.kind === "clash";
  const followed = step?.prices ? [chosen].filter(Boolean) : (step ?? story).lines;
  const kind = isWrong ? "wrong" : "lit";
  return [...(followed ?? []).map((line) => ({ ...lineOf(line), kind })), ...clash];
}

function lineOf(line) {
  return "row" in line ? { row: line.row } : { column: line.column };
}

/** The step that a key moves to: arrows, Page keys, Home and End; null for other keys. */
export function stepByKey(key, at, count) {
  const to = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    PageDown: at + 10,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    PageUp: at - 10,
    Home: 0,
    End: count,
  }[key];
  return to === undefined ? null : Math.max(0, Math.min(count, to));
}

/** The number of steps of each technique, and of places that they decide, in order of first use. */
export function countsOf(steps) {
  const counts = { steps: {}, cells: {} };
  for (const { technique, settled } of steps) {
    counts.steps[technique] = (counts.steps[technique] ?? 0) + 1;
    counts.cells[technique] = (counts.cells[technique] ?? 0) + settled.length;
  }
  return counts;
}

/** The result of the whole explanation. */
export function endInWords({ verdict, steps, reason }) {
  const count = `${steps.length} step${steps.length === 1 ? "" : "s"}`;
  if (verdict === "unique") return `${count} lead to the only solution.`;
  const rest = reason ? `: ${reason}` : "";
  if (verdict === "multiple")
    return `After ${count} nothing more is certain, for there are several solutions.`;
  if (verdict === "unsolvable") return `There is no solution${rest}.`;
  return `After ${count} a limit ended the search${rest}.`;
}
