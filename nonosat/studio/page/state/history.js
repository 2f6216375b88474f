// Undo and redo. A step stores the difference of two documents: for cells of the same number their
// exclusive or, in runs, which works in both directions; for other fields both values.

import { sameValue } from "./document.js";
import { bytesOfText, packBytes, textOfBytes, unpackBytes } from "./pack.js";

/** Maximum number of steps that can be undone. */
export const STEPS = 1000;

export const NO_HISTORY = Object.freeze({ past: Object.freeze([]), future: Object.freeze([]) });

/** The difference of two documents: `{ flips: { field: bytes }, was: {...}, is: {...} }`. */
function stepBetween(before, after) {
  const step = { flips: {}, was: {}, is: {} };
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[key], after[key]];
    if (sameValue(was, is)) continue;
    if (was instanceof Uint8Array && is instanceof Uint8Array && was.length === is.length) {
      step.flips[key] = packBytes(was.map((value, at) => value ^ is[at]));
    } else {
      step.was[key] = kept(was);
      step.is[key] = kept(is);
    }
  }
  return step;
}

const kept = (value) => (value instanceof Uint8Array ? { bytes: packBytes(value) } : value);

const given = (value) => (value?.bytes ? unpackBytes(value.bytes) : value);

function applied(doc, step, values) {
  const next = { ...doc };
  for (const [key, packed] of Object.entries(step.flips)) {
    const flips = unpackBytes(packed);
    next[key] = doc[key].map((value, at) => value ^ flips[at]);
  }
  // A key that only one of the two has was added or removed: JSON has no undefined.
  for (const key of new Set([...Object.keys(step.was), ...Object.keys(step.is)])) {
    const value = given(values[key]);
    if (value === undefined) delete next[key];
    else next[key] = value;
  }
  return next;
}

/** Add a step to the history and remove the steps that could be redone. The oldest of 1001 is
 * dropped.
 */
export function record(history, before, after) {
  return { past: [...history.past, stepBetween(before, after)].slice(-STEPS), future: [] };
}

/** Undo a step: `{ doc, history }`, the same ones if there is none. */
export function undo(history, doc) {
  const step = history.past.at(-1);
  if (!step) return { doc, history };
  return {
    doc: applied(doc, step, step.was),
    history: { past: history.past.slice(0, -1), future: [...history.future, step] },
  };
}

/** Redo a step. */
export function redo(history, doc) {
  const step = history.future.at(-1);
  if (!step) return { doc, history };
  return {
    doc: applied(doc, step, step.is),
    history: { past: [...history.past, step], future: history.future.slice(0, -1) },
  };
}

const texts = new WeakMap(); // packed steps, so that saving again packs only new ones

function textOfStep(step) {
  let text = texts.get(step);
  if (text === undefined) {
    text = JSON.stringify(step, (key, value) =>
      value instanceof Uint8Array ? { base64: textOfBytes(value) } : value,
    );
    texts.set(step, text);
  }
  return text;
}

/**
 * Plain JSON of a history, the newest steps first.
 *
 * @param {number} most Approximate maximum of characters; older steps are left out.
 */
export function packHistory(history, most = 1_000_000) {
  let left = most;
  const newest = (steps) => {
    const found = [];
    for (let at = steps.length - 1; at >= 0; at -= 1) {
      const one = textOfStep(steps[at]);
      left -= one.length + 1;
      if (left < 0) break;
      found.unshift(one);
    }
    return found;
  };
  return { past: newest(history.past), future: newest(history.future) };
}

/** The inverse of `packHistory`. */
export function unpackHistory(packed) {
  const step = (text) =>
    JSON.parse(text, (key, value) =>
      typeof value?.base64 === "string" ? bytesOfText(value.base64) : value,
    );
  return { past: packed.past.map(step), future: packed.future.map(step) };
}
