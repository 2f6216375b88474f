// The live verdict over one WebSocket: the newest edit is what is asked, however fast edits come.
//
// At most one edit is on its way that nothing was heard of; edits meanwhile replace each other, and
// the newest is sent as soon as something is heard, or after a short patience (the server drops
// what it is at for a newer edit, so waiting longer gains nothing). A lost connection is opened
// again after pauses that grow, and the newest edit is sent again.

const PATIENCE_MS = 15;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

/**
 * A line to the server's `/live`.
 *
 * @param {object} world What it is made of, so that tests can stand in for it.
 * @param {() => WebSocket} world.open Begins to connect.
 * @param {(run: () => void, ms: number) => any} world.later As setTimeout.
 * @param {(timer: any) => void} world.forget As clearTimeout.
 * @param {() => Promise<boolean>} world.isRefused Whether a server is there that refuses this page.
 * @returns {{watch: Function, onConnection: Function}} As `answers/index.js` explains them.
 */
export function createLive(world) {
  const line = {
    world,
    listeners: new Set(),
    connection: null, // "open", "lost", "refused"; null before the first attempt has ended
    socket: null,
    isOpen: false,
    failures: 0,
    wanted: { edit: 0, puzzle: null }, // the newest edit, and who is told of it
    sent: 0, // the last edit that went out over this socket
    isHeard: true, // whether something came back for it, or patience is over
    patience: null,
  };
  return {
    watch: (puzzle, tell) => watch(line, puzzle, tell),
    onConnection(listener) {
      line.listeners.add(listener);
      if (line.connection) listener(line.connection);
      return () => line.listeners.delete(listener);
    },
  };
}

function watch(line, puzzle, tell) {
  const edit = line.wanted.edit + 1;
  line.wanted = { edit, puzzle, tell: puzzle === null ? () => {} : tell };
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
    Object.assign(line, { isOpen: true, failures: 0, sent: 0, isHeard: true });
    become(line, "open");
    flush(line);
  };
  socket.onmessage = ({ data }) => hear(line, JSON.parse(data));
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

function hear(line, message) {
  if (message.edit === line.sent) line.isHeard = true;
  if (message.edit === line.wanted.edit) line.wanted.tell(message);
  flush(line);
}

function flush(line) {
  const { world, wanted } = line;
  if (!line.isOpen || !line.isHeard || wanted.edit === line.sent) return;
  if (wanted.puzzle === null && !line.sent) return; // nothing to call off
  world.forget(line.patience);
  Object.assign(line, { sent: wanted.edit, isHeard: false });
  line.socket.send(JSON.stringify({ edit: wanted.edit, puzzle: wanted.puzzle }));
  line.patience = world.later(() => endPatience(line), PATIENCE_MS);
}

/** Also where no newer edit waits yet: "nothing to judge" is not answered, others may be late. */
function endPatience(line) {
  line.isHeard = true;
  flush(line);
}
