// Live verdicts over one WebSocket; only the newest edit is judged, however fast edits come.
//
// At most one edit is unconfirmed; later edits replace each other, and the newest is sent after the
// next message of the server, or after a short timeout (the server cancels its work for a newer
// edit, so waiting longer gains nothing). A lost connection is reopened after increasing pauses,
// and the newest edit is sent again.

const PATIENCE_MS = 15;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

/**
 * Connection to the server's `/live`.
 *
 * @param {object} world Dependencies, replaced in tests.
 * @param {() => WebSocket} world.open Begins to connect.
 * @param {(run: () => void, ms: number) => any} world.later As setTimeout.
 * @param {(timer: any) => void} world.forget As clearTimeout.
 * @param {() => Promise<boolean>} world.isRefused True if a server is there that refuses this
 *   page.
 * @returns {{watch: Function, onConnection: Function}} As `answers/index.js` defines them.
 */
export function createLive(world) {
  const line = {
    world,
    listeners: new Set(),
    connection: null, // "open", "lost", "refused"; null before the first attempt has ended
    socket: null,
    isOpen: false,
    failures: 0,
    current: { edit: 0, puzzle: null }, // the newest edit, and its listener
    sent: 0, // the last edit that went out over this socket
    isAnswered: true, // true if a message came for it, or the timeout is over
    patience: null,
  };
  return {
    watch: (puzzle, listener) => watch(line, puzzle, listener),
    onConnection(listener) {
      line.listeners.add(listener);
      if (line.connection) listener(line.connection);
      return () => line.listeners.delete(listener);
    },
  };
}

function watch(line, puzzle, listener) {
  const edit = line.current.edit + 1;
  line.current = { edit, puzzle, listener: puzzle === null ? () => {} : listener };
  if (!line.socket && line.failures === 0 && puzzle !== null) connect(line);
  flush(line);
  return edit;
}

function become(line, connection) {
  if (connection === line.connection) return;
  line.connection = connection;
  for (const listener of line.listeners) listener(connection);
}

function connect(line) {
  const socket = line.world.open();
  line.socket = socket;
  socket.onopen = () => {
    Object.assign(line, { isOpen: true, failures: 0, sent: 0, isAnswered: true });
    become(line, "open");
    flush(line);
  };
  socket.onmessage = ({ data }) => receive(line, JSON.parse(data));
  socket.onclose = () => lose(line);
}

function lose(line) {
  const { world } = line;
  Object.assign(line, { socket: null, isOpen: false });
  world.forget(line.patience);
  become(line, line.connection === "refused" ? "refused" : "lost");
  world.isRefused().then((isRefused) => {
    if (!line.isOpen) become(line, isRefused ? "refused" : "lost");
  });
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** line.failures);
  line.failures += 1;
  world.later(() => connect(line), pause);
}

function receive(line, message) {
  if (message.edit === line.sent) line.isAnswered = true;
  if (message.edit === line.current.edit) line.current.listener(message);
  flush(line);
}

function flush(line) {
  const { world, current } = line;
  if (!line.isOpen || !line.isAnswered || current.edit === line.sent) return;
  if (current.puzzle === null && !line.sent) return; // nothing to cancel
  world.forget(line.patience);
  Object.assign(line, { sent: current.edit, isAnswered: false });
  line.socket.send(JSON.stringify({ edit: current.edit, puzzle: current.puzzle }));
  line.patience = world.later(() => endPatience(line), PATIENCE_MS);
}

/** Send the newest edit after a timeout, even without a newer one: messages may be late. */
function endPatience(line) {
  line.isAnswered = true;
  flush(line);
}
