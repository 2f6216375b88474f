// Settings of the image import: the defaults, or those of the previous image, which the browser
// stores, so that a series of pictures is configured once.

import { MAX_COLOURS, MAX_SIDE } from "../state/document.js";

const PLACE = "nonosat/image"; // in localStorage
export const DITHERS = [
  ["", "none"],
  ["floyd-steinberg", "Floyd-Steinberg, error diffusion"],
  ["bayer", "Bayer, a regular 4 × 4 pattern"],
];
/** Default settings. `longest` is the longer side in cells; a threshold of null is computed for
 * each image.
 */
export const USUAL = {
  longest: 30,
  colours: 1,
  threshold: null,
  edges: 0.5,
  invert: false,
  dither: "",
};
const isWithin = (least, most) => (value) =>
  typeof value === "number" && value >= least && value <= most;
const isWhole = (least, most) => (value) =>
  Number.isInteger(value) && isWithin(least, most)(value);
const IS_SETTING = {
  longest: isWhole(2, MAX_SIDE),
  colours: isWhole(1, MAX_COLOURS),
  threshold: (value) => value === null || isWithin(0, 1)(value),
  edges: isWithin(0, 1),
  invert: (value) => typeof value === "boolean",
  dither: (value) => DITHERS.some(([name]) => name === value),
};

/**
 * Range of the number of columns of an image: with the rows that its shape requires they fit the
 * board. An image longer than any board has one column, which is refused with the reason.
 *
 * @returns {{least: number, most: number}}
 */
export function columnsFor(width, height) {
  const most = Math.max(1, Math.min(MAX_SIDE, Math.floor((MAX_SIDE * width) / height)));
  return { least: Math.min(2, most, width), most };
}

/**
 * Sizes for an image: its longer side about `longest` cells, its shape kept.
 *
 * @returns {{columns: number, rows: number}}
 */
export function sizeFor(width, height, longest = USUAL.longest) {
  // Pixel art keeps a pixel a cell, independent of the size set for photographs.
  const side = Math.max(width, height);
  if (side <= Math.max(longest, USUAL.longest)) return { columns: width, rows: height };
  const { least, most } = columnsFor(width, height);
  const columns = Math.max(least, Math.min(most, Math.round((width * longest) / side)));
  return { columns, rows: Math.max(1, Math.round((columns * height) / width)) };
}

/** The parameters of the question `image`. */
export function imageQuery({ columns, colours, threshold, edges, invert, dither, name = "" }) {
  const query = new URLSearchParams({ columns, colours, edges });
  if (dither) query.set("dither", dither);
  if (name) query.set("name", name);
  if (colours === 1 && threshold !== null) query.set("threshold", threshold);
  if (colours === 1 && invert) query.set("invert", "true");
  return `image?${query}`;
}

/**
 * The stored settings of the previous image.
 *
 * @param {Storage} storage localStorage, or an object with its methods.
 */
export function createWishes(storage) {
  return {
    /** Settings with the keys of `USUAL`; an invalid one, perhaps of another version, becomes the
     * default.
     */
    load() {
      let kept = null;
      try {
        kept = JSON.parse(storage.getItem(PLACE));
      } catch {
        // content written by another program
      }
      const one = ([key, usual]) => [key, IS_SETTING[key](kept?.[key]) ? kept[key] : usual];
      return Object.fromEntries(Object.entries(USUAL).map(one));
    },
    /** Store the settings. */
    save(wishes) {
      const settings = Object.fromEntries(Object.keys(USUAL).map((key) => [key, wishes[key]]));
      try {
        storage.setItem(PLACE, JSON.stringify(settings));
      } catch {
        // No room: the next image begins with the old settings.
      }
    },
  };
}
