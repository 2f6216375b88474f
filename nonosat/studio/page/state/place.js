// Position in a document: the mode and the cursor. Pages of one file, which change no document,
// need only this part of the state.

const ACTIONS = {
  mode: (state, { mode }) =>
    mode === state.mode
      ? state
      : { ...state, mode, docMode: documentMode(mode, state.mode, state.docMode), selection: null },
  cursor: (state, { row, column }) =>
    row === state.cursor.row && column === state.cursor.column
      ? state
      : inside({ ...state, cursor: { row, column } }),
};

/** The first of some modes that shows a document; the gallery shows none. */
export const documentMode = (...modes) => modes.find((mode) => mode && mode !== "gallery");

/** The state after an action; the same object if nothing changed. */
export function reducePlace(state, action) {
  return Object.hasOwn(ACTIONS, action.type) ? ACTIONS[action.type](state, action) : state;
}

/** Move cursor and selection into a board that may have shrunk. */
export function inside(state) {
  const { height, width } = state.doc;
  const row = Math.max(0, Math.min(state.cursor.row, height - 1));
  const column = Math.max(0, Math.min(state.cursor.column, width - 1));
  const hit = state.selection;
  const fits = !hit || (hit.top + hit.height <= height && hit.left + hit.width <= width);
  return { ...state, cursor: { row, column }, selection: fits ? hit : null };
}
