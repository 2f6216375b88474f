// The state of explanations: the available stories, the selected one, its current step.

import { shapeOf } from "../play/puzzle.js";
import { hasPrices } from "./prices.js";
import { clashStory, reasonStory, stepByKey, wholeStory } from "./steps.js";

/** The initial slice. */
export function initial() {
  return {
    shape: null,
    status: "none",
    message: "",
    found: null,
    stories: {},
    kind: "whole",
    at: {},
    line: null, // for a step by prices, the line whose best filling is shown
    isReasoning: false,
  };
}

/** The slice after an action; stories of a puzzle that has changed since are dropped. */
export function reduce(slice, action, state) {
  if (slice.shape !== null && slice.shape !== shapeOf(state.doc)) slice = initial();
  switch (action.type) {
    case "explain/requested":
      return { ...initial(), shape: shapeOf(state.doc), status: "loading" };
    case "explain/found":
      return action.shape === slice.shape ? explained(slice, action.found) : slice;
    case "explain/failed":
      return action.shape === slice.shape
        ? { ...slice, status: "failed", message: action.message }
        : slice;
    case "explain/why":
      return { ...slice, isReasoning: true };
    case "explain/reason":
      return action.shape === slice.shape ? reasoned(slice, action.found) : slice;
    case "explain/silent":
      return { ...slice, isReasoning: false };
    case "explain/story":
      return slice.stories[action.kind] ? { ...slice, kind: action.kind, line: null } : slice;
    case "explain/at":
      return {
        ...slice,
        at: { ...slice.at, [slice.kind]: Math.max(0, Math.min(countOf(slice), action.at)) },
        line: null,
      };
    case "explain/line":
      return chosen(slice, action.line);
    default:
      return slice;
  }
}

/** Select a line if the step has prices in it. */
function chosen(slice, line) {
  const step = storyOf(slice)?.steps[placeIn(slice) - 1];
  const isNew = line.row !== slice.line?.row || line.column !== slice.line?.column;
  return isNew && hasPrices(step, line) ? { ...slice, line } : slice;
}

/** Store an explanation; a page of one file may hold the reason of a cell in its place. */
function explained(slice, found) {
  if (found.cell) {
    const stories = { reason: reasonStory(found) };
    return { ...slice, status: "ready", found, stories, kind: "reason", at: {} };
  }
  const stories = { whole: wholeStory(found) };
  const clash = clashStory(found);
  if (clash) stories.clash = clash;
  return { ...slice, status: "ready", found, stories, kind: clash ? "clash" : "whole", at: {} };
}

function reasoned(slice, found) {
  const stories = { ...slice.stories, reason: reasonStory(found) };
  const at = { ...slice.at, reason: 0 };
  return { ...slice, stories, kind: "reason", at, line: null, isReasoning: false };
}

/** The current story; null before there is one. */
export function storyOf(slice) {
  return slice.stories[slice.kind] ?? null;
}

/** The number of steps of the current story. */
export function countOf(slice) {
  return storyOf(slice)?.steps.length ?? 0;
}

/** The current step of the current story. */
export function placeIn(slice) {
  return slice.at[slice.kind] ?? 0;
}

/** The action of a key; null for other keys. */
export function actionOfKey(slice, key) {
  const at = storyOf(slice) ? stepByKey(key, placeIn(slice), countOf(slice)) : null;
  return at === null ? null : { type: "explain/at", at };
}
