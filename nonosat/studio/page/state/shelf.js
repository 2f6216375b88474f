// Drawings in the browser's storage: each document under a key of its own, and a summary of it
// under another, so that long lists are fast and tabs do not overwrite each other.

import { packHistory, unpackHistory } from "./history.js";
import { bytesOfText, packBytes, textOfBytes, unpackBytes } from "./pack.js";

const DOC = "nonosat/doc/";
const ABOUT = "nonosat/about/";
const SIDE = 64; // of a thumbnail, in cells

/** A document as plain JSON. */
function packDocument(doc) {
  const packed = { ...doc };
  for (const key of ["cells", "protected"]) {
    if (doc[key] instanceof Uint8Array) packed[key] = textOfBytes(packBytes(doc[key]));
  }
  return packed;
}

/** The inverse of `packDocument`. */
function unpackDocument(packed) {
  const doc = { ...packed };
  for (const key of ["cells", "protected"]) {
    if (typeof packed[key] === "string") doc[key] = unpackBytes(bytesOfText(packed[key]));
  }
  return doc;
}

/**
 * A picture of at most 64x64 cells to show in a list: `{ height, width, cells, palette, background
 * }`.
 */
export function thumbnailOf(doc) {
  const by = Math.max(1, Math.max(doc.height, doc.width) / SIDE);
  const height = Math.ceil(doc.height / by);
  const width = Math.ceil(doc.width / by);
  const cells = new Uint8Array(height * width);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      cells[row * width + column] =
        doc.cells[Math.floor(row * by) * doc.width + Math.floor(column * by)];
    }
  }
  return { height, width, cells, palette: doc.palette, background: doc.background };
}

/**
 * The drawings of this browser.
 *
 * @param {Storage} storage localStorage, or an object with its methods.
 */
export function createShelf(storage) {
  return {
    /** Store a document; return false if there is no room, even without its history. */
    save(key, { doc, history, ...rest }, when) {
      for (const most of [1_000_000, 50_000, 0]) {
        const record = {
          version: 1,
          doc: packDocument(doc),
          history: packHistory(history, most),
          ...rest,
        };
        try {
          storage.setItem(DOC + key, JSON.stringify(record));
          storage.setItem(ABOUT + key, JSON.stringify(aboutOf(doc, rest, when)));
          return true;
        } catch (error) {
          if (!isFull(error)) throw error;
        }
      }
      return false;
    },
    /** `{ doc, history, ...rest }`, or null if there is none (or it is of another version). */
    load(key) {
      try {
        const record = JSON.parse(storage.getItem(DOC + key));
        if (record?.version !== 1) return null;
        const { doc, history, version, ...rest } = record;
        return { doc: unpackDocument(doc), history: unpackHistory(history), ...rest };
      } catch {
        return null; // content written by another program
      }
    },
    remove(key) {
      storage.removeItem(DOC + key);
      storage.removeItem(ABOUT + key);
    },
    /** Stored documents, the newest first: `[{ key, title, kind, height, width, when, thumbnail
     * }]`.
     */
    list() {
      const found = [];
      for (let at = 0; at < storage.length; at += 1) {
        const name = storage.key(at);
        if (name.startsWith(ABOUT))
          found.push(aboutFrom(name.slice(ABOUT.length), storage.getItem(name)));
      }
      return found.filter(Boolean).sort((a, b) => b.when - a.when);
    },
  };
}

function aboutOf(doc, { mode }, when) {
  const { title, kind, family = "nonogram", height, width } = doc;
  const about = { title, kind, family, mode, height, width, when };
  if (kind === "picture") about.thumbnail = packDocument(thumbnailOf(doc));
  return about;
}

function aboutFrom(key, text) {
  try {
    const about = JSON.parse(text);
    return { key, ...about, thumbnail: about.thumbnail ? unpackDocument(about.thumbnail) : null };
  } catch {
    return null;
  }
}

const isFull = (error) =>
  error?.name === "QuotaExceededError" || error?.name === "NS_ERROR_DOM_QUOTA_REACHED";
