// Names that one tab at a time holds, by locks of the browser, so that tabs do not overwrite each
// other's data. A lock is released when its tab ends, or when the tab holds another name.

const PATIENCE_MS = 400; // a reloaded tab releases its lock soon

/** A random unique name: 12 hex digits. (`randomUUID` is missing over plain http.) */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Locks that hold one name at a time.
 *
 * @param {LockManager|undefined} locks `navigator.locks`; without it every name is free.
 * @param {string} prefix Prefix of the locks' names.
 * @returns {(name: string) => Promise<boolean>} Holds a name and releases the previous one; false
 *   if another tab has it; then the previous one is kept.
 */
export function createHold(locks, prefix) {
  let release = () => {};
  let held = null;
  let last = Promise.resolve(true); // calls wait for those before them
  const next = async (name) => {
    if (name === held) return true;
    const ended = await taken(locks, prefix + name);
    if (!ended) return false;
    release();
    [release, held] = [ended, name];
    return true;
  };
  return (name) => (last = last.then(() => next(name)));
}

/** A function that releases the lock; null if another tab has it. */
function taken(locks, name) {
  if (!locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const holding = () => new Promise((end) => resolve(end));
    locks.request(name, { signal }, holding).catch(({ name: kind }) => {
      const isBusy = ["TimeoutError", "AbortError"].includes(kind);
      // A frame without an origin has neither locks nor storage.
      resolve(isBusy ? null : () => {});
    });
  });
}
