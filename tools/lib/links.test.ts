import net from 'node:net';
import { openLink } from './links.mjs';
import { listenLocally } from './listen.mjs';

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
  const link = await openLink(`echo://127.0.0.1:${port}/name?option=1`);
  return {
    heard,
    link,
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
  const harmed = echo.link.harm('cut', 100);
  await before.ended;
  await connect(echo.link.url).ended;
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
  const harmed = echo.link.harm('lose replies', 100);
  socket.write('commit');
  await ended;
  expect(await harmed).toBe(true);
  expect(echo.heard).toEqual(['hello', 'commit']);
  expect(answers).toEqual(['hello']);
});

test('where a link stalls nothing arrives, and the connection ends', async () => {
  const { socket, answers, ended } = connect(echo.link.url);
  socket.write('hello');
  await until(() => answers.length === 1);
  const harmed = echo.link.harm('stall', 100);
  socket.write('lost');
  await ended;
  await harmed;
  expect(echo.heard).toEqual(['hello']);
});

test('a slow link keeps the order and loses nothing', async () => {
  const { socket, answers } = connect(echo.link.url);
  socket.write('a');
  await until(() => answers.length === 1);
  const harmed = echo.link.harm('slow', 50);
  for (const letter of 'bcd') socket.write(letter);
  await harmed;
  socket.write('e');
  await until(() => answers.join('').length === 5);
  expect(answers.join('')).toBe('abcde');
  socket.destroy();
});

test('harm says whether it met a connection', async () => {
  expect(await echo.link.harm('cut', 1)).toBe(false);
});

test('a harm that ends does not end one that began after it', async () => {
  const { socket, answers } = connect(echo.link.url);
  socket.write('hello');
  await until(() => answers.length === 1);
  const later: { over: boolean } = { over: false };
  const first = echo.link.harm('slow', 1);
  const second = echo.link.harm('cut', 100).then(() => Object.assign(later, { over: true }));
  await first;
  const during = connect(echo.link.url);
  let isCut = false;
  void during.ended.then(() => {
    isCut = true;
  });
  during.socket.write('hello');
  await until(() => isCut || during.answers.length > 0);
  expect([isCut, later.over]).toEqual([true, false]);
  await second;
  for (const each of [socket, during.socket]) each.destroy();
});
