// The state of the page: one plain object, changed by actions only.

/**
 * A store.
 *
 * @param {object} state The first state.
 * @param {(state: object, action: {type: string}) => object} reduce Pure; returns the same object
 *   if an action changes nothing.
 */
export function createStore(state, reduce) {
  const listeners = new Set();
  let now = state;
  return {
    get: () => now,
    dispatch(action) {
      const before = now;
      now = reduce(before, action);
      if (now !== before) for (const listener of listeners) listener(now, before, action);
      return now;
    },
    /** Register a listener for every change; the returned function removes it. */
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
