// The live verdict over one WebSocket: the newest edit is what is asked, however fast edits come.
//
// At most one edit is on its way that nothing was heard of; edits meanwhile replace each other, and
// the newest is sent as soon as something is heard, or after a short patience (the server drops what
// it is at for a newer edit, so waiting longer gains nothing). A lost connection is opened again
// after pauses that grow, and the newest edit is sent again.

const PATIENCE_MS = 60;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

/**
 * A line to the server's `/live`.
 *
 * @param {object} world What it is made of, so that tests can stand in for it.
 * @param {() => WebSocket} world.open Begins to connect.
 * @param {(run: () => void, ms: number) => any} world.later As setTimeout.
 * @param {(timer: any) => void} world.forget As clearTimeout.
 * @param {() => Promise<boolean>} world.isRefused Whether the server is there but refuses this page.
 * @returns {{watch: Function, onConnection: Function}} As `answers/index.js` explains them.
 */
export function createLive({ open, later, forget, isRefused }) {
  const listeners = new Set();
  let connection = null; // "open", "lost", "refused"; null before the first attempt has ended
  let socket = null;
  let isOpen = false;
  let failures = 0;
  let edit = 0;
  let wanted = { edit: 0, puzzle: null }; // the newest edit, and who is told of it
  let sent = 0; // the last edit that went out over this socket
  let isHeard = true; // whether something came back for it
  let patience = null;

  function become(next) {
    if (next === connection) return;
    connection = next;
    for (const listener of listeners) listener(connection);
  }

  function connect() {
    const mine = open();
    socket = mine;
    mine.onopen = () => {
      [isOpen, failures, sent, isHeard] = [true, 0, 0, true];
      become("open");
      flush();
    };
    mine.onmessage = ({ data }) => hear(JSON.parse(data));
    mine.onclose = () => lose();
  }

  function lose() {
    [socket, isOpen] = [null, false];
    forget(patience);
    become(connection === "refused" ? "refused" : "lost");
    isRefused().then((refused) => !isOpen && become(refused ? "refused" : "lost"));
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
    failures += 1;
    later(connect, pause);
  }

  function hear(message) {
    if (message.edit === sent) isHeard = true;
    if (message.edit === wanted.edit) wanted.tell(message);
    flush();
  }

  function flush() {
    if (!isOpen || !isHeard || wanted.edit === sent || (wanted.puzzle === null && !sent)) return;
    forget(patience);
    [sent, isHeard] = [wanted.edit, false];
    socket.send(JSON.stringify({ edit: wanted.edit, puzzle: wanted.puzzle }));
    patience = later(endPatience, PATIENCE_MS);
  }

  /** Also where no newer edit waits yet: to "nothing to judge" no answer comes, to others a late one. */
  function endPatience() {
    isHeard = true;
    flush();
  }

  return {
    watch(puzzle, tell) {
      edit += 1;
      wanted = { edit, puzzle, tell: puzzle === null ? () => {} : tell };
      if (!socket && failures === 0 && puzzle !== null) connect();
      flush();
      return edit;
    },
    onConnection(listener) {
      listeners.add(listener);
      if (connection) listener(connection);
      return () => listeners.delete(listener);
    },
  };
}
