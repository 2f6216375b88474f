// Objects that a page has in a browser and node lacks, as far as tests need them.

/** As localStorage, with room for so many characters. */
export function createStorage(room = Infinity) {
  const kept = new Map();
  const used = (but) => [...kept].reduce((sum, [k, text]) => sum + (k === but ? 0 : text.length), 0);
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem(key, value) {
      if (used(key) + value.length > room)
        throw Object.assign(new Error("full"), { name: "QuotaExceededError" });
      kept.set(key, value);
    },
    removeItem: (key) => kept.delete(key),
    key: (at) => [...kept.keys()][at],
    get length() {
      return kept.size;
    },
  };
}

/** Locks that all tabs share: a request waits until its lock is free or its time is over. */
export function createLocks() {
  const held = new Map();
  return {
    async request(name, { signal }, run) {
      const late = new Promise((_, reject) => (signal.onabort = () => reject(signal.reason)));
      late.catch(() => {}); // not awaited once the lock is given
      const alive = setInterval(() => {}, 1000); // node does not wait for the signal alone
      try {
        while (held.has(name)) await Promise.race([held.get(name), late]);
      } finally {
        clearInterval(alive);
      }
      const ending = run();
      held.set(name, ending);
      await ending;
      held.delete(name);
    },
  };
}
