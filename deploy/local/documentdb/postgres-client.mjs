// One simple query to PostgreSQL over a unix socket, without a driver: enough to ask "are you ready?"
// and to create the extension.
import net from 'node:net';

const PROTOCOL_3_0 = 196_608;

/**
 * Runs one SQL text (no parameters) as user and database `postgres`.
 * @param {string} socketPath
 * @param {string} sql
 * @param {number} [timeout] milliseconds
 * @returns {Promise<string>} first column of the first row, or ''; rejects with the server's message
 */
export function querySocket(socketPath, sql, timeout = 60_000) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(socketPath);
    /** @type {{ received: Buffer, asked: boolean, answer: string, failure: Error | null }} */
    const state = { received: Buffer.alloc(0), asked: false, answer: '', failure: null };
    const finish = (settle, value) => {
      socket.destroy();
      settle(value);
    };
    socket.setTimeout(timeout, () => finish(reject, new Error('PostgreSQL does not answer')));
    socket.on('error', (error) => finish(reject, error));
    socket.on('close', () =>
      reject(state.failure ?? new Error('PostgreSQL closed the connection')),
    );
    socket.on('connect', () => socket.write(startup()));
    socket.on('data', (chunk) => {
      state.received = Buffer.concat([state.received, chunk]);
      for (const message of takeMessages(state)) {
        if (message.type === 'D') state.answer ||= firstColumn(message.body);
        if (message.type === 'E') state.failure = new Error(errorText(message.body));
        if (message.type !== 'Z') continue;
        if (state.asked)
          return state.failure ? finish(reject, state.failure) : finish(resolve, state.answer);
        state.asked = true;
        socket.write(framed('Q', Buffer.from(`${sql}\0`)));
      }
    });
  });
}

function startup() {
  const settings = Buffer.from('user\0postgres\0database\0postgres\0\0');
  const head = Buffer.alloc(8);
  head.writeInt32BE(settings.length + 8, 0);
  head.writeInt32BE(PROTOCOL_3_0, 4);
  return Buffer.concat([head, settings]);
}

function framed(type, body) {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function* takeMessages(state) {
  while (state.received.length >= 5) {
    const length = 1 + state.received.readInt32BE(1);
    if (state.received.length < length) return;
    const message = state.received.subarray(0, length);
    state.received = state.received.subarray(length);
    yield { type: String.fromCharCode(message[0]), body: message.subarray(5) };
  }
}

function firstColumn(body) {
  const length = body.readInt32BE(2);
  return length < 0 ? '' : body.toString('utf8', 6, 6 + length);
}

function errorText(body) {
  const fields = body.toString('utf8').split('\0');
  return fields.find((field) => field.startsWith('M'))?.slice(1) ?? 'unknown PostgreSQL error';
}
