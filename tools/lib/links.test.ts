import net from 'node:net';
import { openLink } from './links.mjs';
import { listenLocally } from './listen.mjs';

/** Harms last until `endHarm`: on a busy machine one of a few milliseconds ends before anything met it. */
const UNTIL_ENDED = Number.POSITIVE_INFINITY;

/** Says everything back, and remembers what it heard. */
async function openEcho() {
  const heard: string[] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      heard.push(bytes.toString());
      socket.write(bytes);
    });
  });
  const port = await listenLocally(server);
  const ends: (() => void)[] = [];
  const last = () => new Promise<void>((resolve) => ends.push(resolve));
  const link = await openLink(`echo://127.0.0.1:${port}/name?option=1`, 0, last);
  return {
    heard,
    link,
    /** Of several the one that began first. */
    endHarm: () => ends.shift()?.(),
    close: () => {
      link.close();
      server.close();
    },
  };
}

function connect(url: string) {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  const answers: string[] = [];
  socket.on('data', (bytes) => answers.push(bytes.toString()));
  const ended = new Promise<void>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
  return { socket, answers, ended };
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise(setImmediate);
};

let echo: Awaited<ReturnType<typeof openEcho>>;
beforeEach(async () => {
  echo = await openEcho();
});
afterEach(() => echo.close());

test('a link carries both ways and keeps all but the place of an address', async () => {
  const { socket, answers } = connect(echo.link.url);
  socket.write('hello');
  await until(() => answers.length === 1);
  expect(answers).toEqual(['hello']);
  expect(new URL(echo.link.url)).toMatchObject({ pathname: '/name', search: '?option=1' });
  socket.destroy();
});

test('a cut resets all who are connected and all who come, until it is over', async () => {
  const before = connect(echo.link.url);
  before.socket.write('hello');
  await until(() => before.answers.length === 1);
  const harmed = echo.link.harm('cut', UNTIL_ENDED);
  await before.ended;
  await connect(echo.link.url).ended;
  echo.endHarm();
  expect(await harmed).toBe(true);
  const after = connect(echo.link.url);
  after.socket.write('again');
  await until(() => after.answers.length === 1);
  after.socket.destroy();
});

test('where replies are lost what is asked is done, and the connection ends without an answer', async () => {
  const { socket, answers, ended } = connect(echo.link.url);
  socket.write('hello');
  await until(() => answers.length === 1);
  const harmed = echo.link.harm('lose replies', UNTIL_ENDED);
  socket.write('commit');
  await until(() => echo.heard.length === 2);
  echo.endHarm();
  await ended;
  expect(await harmed).toBe(true);
  expect(echo.heard).toEqual(['hello', 'commit']);
  expect(answers).toEqual(['hello']);
});

test('where a link stalls nothing arrives, and the connection ends', async () => {
  const { socket, answers, ended } = connect(echo.link.url);
  socket.write('hello');
  await until(() => answers.length === 1);
  const harmed = echo.link.harm('stall', UNTIL_ENDED);
  socket.write('lost');
  await until(() => socket.bytesWritten === 'hellolost'.length && socket.writableLength === 0);
  echo.endHarm();
  await ended;
  await harmed;
  expect(echo.heard).toEqual(['hello']);
});

test('a slow link keeps the order and loses nothing', async () => {
  const { socket, answers } = connect(echo.link.url);
  socket.write('a');
  await until(() => answers.length === 1);
  const harmed = echo.link.harm('slow', UNTIL_ENDED);
  for (const letter of 'bcd') socket.write(letter);
  await until(() => answers.join('').length === 4);
  echo.endHarm();
  await harmed;
  socket.write('e');
  await until(() => answers.join('').length === 5);
  expect(answers.join('')).toBe('abcde');
  socket.destroy();
});

test('harm says whether it met a connection', async () => {
  const harmed = echo.link.harm('cut', UNTIL_ENDED);
  echo.endHarm();
  expect(await harmed).toBe(false);
});

test('a harm that ends does not end one that began after it', async () => {
  const { socket, answers } = connect(echo.link.url);
  socket.write('hello');
  await until(() => answers.length === 1);
  const later: { over: boolean } = { over: false };
  const first = echo.link.harm('slow', UNTIL_ENDED);
  const second = echo.link
    .harm('cut', UNTIL_ENDED)
    .then(() => Object.assign(later, { over: true }));
  echo.endHarm();
  await first;
  const during = connect(echo.link.url);
  let isCut = false;
  void during.ended.then(() => {
    isCut = true;
  });
  during.socket.write('hello');
  await until(() => isCut || during.answers.length > 0);
  expect([isCut, later.over]).toEqual([true, false]);
  echo.endHarm();
  await second;
  for (const each of [socket, during.socket]) each.destroy();
});
