// The core of the state: the document, its history, mode and cursor. Parts reduce their slices.

import { blank, sameDocument } from "./document.js";
import { NO_HISTORY, record, redo, undo } from "./history.js";
import { documentMode, inside, reducePlace } from "./place.js";

/** The state of a page that shows its gallery. */
export function firstState() {
  return {
    mode: "gallery",
    docMode: "draw", // the mode in which the document is shown, also while the gallery is
    key: null,
    freshKey: null, // key of the copy that is made if this puzzle of the gallery is changed
    doc: blank(10, 10),
    history: NO_HISTORY,
    draft: null,
    cursor: { row: 0, column: 0 },
    selection: null,
  };
}

const ACTIONS = {
  edit: (state, { doc }) => changed(closed(state), doc),
  draft: (state, { doc }) =>
    doc === state.doc
      ? state
      : { ...state, key: ownKey(state), doc, draft: state.draft ?? state.doc },
  commit: (state) => closed(state),
  abandon: (state) => (state.draft ? { ...state, doc: state.draft, draft: null } : state),
  undo: (state) => walked(closed(state), undo),
  redo: (state) => walked(closed(state), redo),
  open: (
    state,
    {
      doc,
      key,
      freshKey,
      mode = "draw",
      docMode = "draw",
      history = NO_HISTORY,
      cursor = { row: 0, column: 0 },
    },
  ) => ({
    ...state,
    doc,
    key,
    freshKey,
    mode,
    docMode: documentMode(mode, docMode),
    history,
    cursor,
    draft: null,
    selection: null,
  }),
  mode: (state, action) =>
    action.mode === state.mode ? state : reducePlace(closed(state), action),
  select: (state, { selection }) =>
    selection === state.selection ? state : { ...state, selection },
};

/** The state after an action; the same object if nothing changed. */
export function reduceCore(state, action) {
  const change = Object.hasOwn(ACTIONS, action.type) ? ACTIONS[action.type] : reducePlace;
  return change(state, action);
}

/** Names of documents that the user has not created. */
export const GALLERY = "gallery-";

/** Make a changed puzzle of the gallery the user's own; the original stays. */
const ownKey = ({ key, freshKey }) => (key?.startsWith(GALLERY) ? freshKey : key);

function changed(state, doc) {
  if (sameDocument(state.doc, doc)) return state;
  return inside({
    ...state,
    key: ownKey(state),
    doc,
    history: record(state.history, state.doc, doc),
  });
}

/** Turn a stroke in progress into a step. */
export function closed(state) {
  if (!state.draft) return state;
  const { draft, doc } = state;
  const history = sameDocument(draft, doc) ? state.history : record(state.history, draft, doc);
  return { ...state, draft: null, history };
}

function walked(state, way) {
  const { doc, history } = way(state.history, state.doc);
  return doc === state.doc ? state : inside({ ...state, doc, history });
}
