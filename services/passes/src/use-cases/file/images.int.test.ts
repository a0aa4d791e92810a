import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import { until } from '@laurel/testing';
import sharp from 'sharp';
import { type Dispatcher, MockAgent } from 'undici';
import { createHarness, type Harness } from '../../testing/harness';
import { refreshImageSource } from './image-sources';
import { createImages } from './images';
import { storeFile } from './store-file';

const HOST = 'https://images.example.com';

let harness: Harness;
let agent: MockAgent;
beforeEach(async () => {
  harness = await createHarness();
  agent = new MockAgent();
  agent.disableNetConnect();
});
afterEach(async () => {
  await agent.close();
  await harness.drop();
});

const picture = (background: string) =>
  sharp({ create: { width: 8, height: 4, channels: 3, background } })
    .png()
    .toBuffer();
const serve = (path: string, body: Buffer) => agent.get(HOST).intercept({ path }).reply(200, body);

test('an address is fetched once per workspace, until it is asked to be fetched anew', async () => {
  const images = createImages(harness.deps, agent);
  const { workspaceId } = harness;
  const [red, blue] = [await picture('red'), await picture('blue')];
  serve('/a.png', red);
  expect(await images.load(workspaceId, `${HOST}/a.png`)).toEqual(red);
  expect(await images.load(workspaceId, `${HOST}/a.png`)).toEqual(red);
  expect(await images.addressOf(workspaceId, `${HOST}/a.png`)).toMatch(/\/assets\/[0-9a-f-]{36}$/);
  serve('/a.png', blue);
  expect(await images.load(newId(), `${HOST}/a.png`)).toEqual(blue);
  const before = await images.idOf(workspaceId, `${HOST}/a.png`);
  const forget = { workspace_id: workspaceId, source_url: `${HOST}/a.png` };
  await refreshImageSource({ images }, forget);
  await refreshImageSource({ images }, forget);
  serve('/a.png', blue);
  expect(await images.load(workspaceId, `${HOST}/a.png`)).toEqual(blue);
  expect(await images.idOf(workspaceId, `${HOST}/a.png`)).not.toBe(before);
});

test('what is no image is not kept', async () => {
  const images = createImages(harness.deps, agent);
  serve('/a.png', Buffer.from('<html>not found</html>'));
  expect(await images.load(harness.workspaceId, `${HOST}/a.png`)).toBeNull();
  expect(await harness.connection.collection('files').countDocuments({})).toBe(0);
});

test('a moving picture that lies on its side is a picture, uploaded or from elsewhere', async () => {
  const images = createImages(harness.deps, agent);
  const { workspaceId: workspace_id } = harness;
  const frame = { create: { width: 8, height: 4, channels: 3 as const, background: 'red' } };
  const content = await sharp([frame, frame] as never, { join: { animated: true } })
    .withMetadata({ orientation: 6 })
    .webp()
    .toBuffer();
  const { width, height } = await storeFile(harness.deps, {
    workspace_id,
    filename: 'a.webp',
    content,
  });
  expect([width, height]).toEqual([4, 8]);
  serve('/a.webp', content);
  expect(await images.load(workspace_id, `${HOST}/a.webp`)).toBeInstanceOf(Buffer);
});

test('an address that gives nothing is asked once by all who draw at once, and not again for a while', async () => {
  const images = createImages(harness.deps, agent);
  const { workspaceId } = harness;
  const source = `${HOST}/a.png`;
  let asked = 0;
  const path = '/a.png';
  agent
    .get(HOST)
    .intercept({ path })
    .reply(() => {
      asked += 1;
      return { statusCode: 500 };
    })
    .persist();
  const drawn = () => images.load(workspaceId, source);
  expect(await Promise.all([drawn(), drawn(), images.addressOf(workspaceId, source)])).toEqual([
    null,
    null,
    null,
  ]);
  expect(await drawn()).toBeNull();
  expect(asked).toBe(1);
  // Another workspace asks for itself.
  expect(await images.load(newId(), source)).toBeNull();
  expect(asked).toBe(2);
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_001);
  expect(await drawn()).toBeNull();
  expect(asked).toBe(3);
  await refreshImageSource({ images }, { workspace_id: workspaceId, source_url: ` ${source} ` });
  expect(await drawn()).toBeNull();
  expect(asked).toBe(4);
  jest.restoreAllMocks();
});

/** Addresses that are dialled and never answer. */
let dialled = 0;
const dispatch = () => {
  dialled += 1;
  return true;
};
const silent = { dispatch } as unknown as Dispatcher;
/** Under a request id that all of them chose. */
const asCaller = <T>(work: () => T): T =>
  runInContext(systemContext({ requestId: 'of all' }), work);
const source = (at: number) => `${HOST}/${at}.png`;

test('callers who wait for pictures from elsewhere are few at once, of a workspace and of all; jobs are not counted', async () => {
  const images = createImages(harness.deps, silent);
  let refused = 0;
  const ask = (workspaceId: string, at: number) =>
    asCaller(() => images.load(workspaceId, source(at))).catch((error: unknown) => {
      expect(error).toMatchObject({ httpStatus: 503, retryAfterSeconds: expect.any(Number) });
      refused += 1;
    });
  const own = harness.workspaceId;
  for (let at = 0; at < 8; at += 1) void ask(own, at);
  await until(async () => dialled === 8);
  void ask(own, 8);
  // The same address keeps its callers waiting as much as another one: who joins is counted, too.
  void ask(own, 0);
  await until(async () => refused === 2);
  for (let other = 0; other < 5; other += 1) {
    const workspaceId = newId();
    for (let at = 0; at < 8; at += 1) void ask(workspaceId, at);
  }
  await until(async () => refused === 10);
  void images.load(own, source(9));
  await until(async () => dialled === 41);
  expect(refused).toBe(10);
});

test('the pictures of one card are one wait of its caller', async () => {
  const images = createImages(harness.deps, silent);
  const others = dialled;
  asCaller(() => {
    for (let at = 0; at < 9; at += 1) void images.load(harness.workspaceId, source(100 + at));
  });
  await until(async () => dialled === others + 9);
});

test('a picture that came makes room for the next one', async () => {
  const images = createImages(harness.deps, agent);
  for (let round = 0; round < 2; round += 1) {
    const wanted = Array.from({ length: 8 }, (_, at) => round * 8 + at);
    for (const at of wanted) serve(`/${at}.png`, Buffer.from('no picture'));
    const load = (at: number) => asCaller(() => images.load(harness.workspaceId, source(at)));
    expect(await Promise.all(wanted.map(load))).toEqual(wanted.map(() => null));
  }
});

test('a file is that of its workspace alone', async () => {
  const images = createImages(harness.deps, agent);
  const content = await picture('red');
  const request = { workspace_id: harness.workspaceId, filename: 'a.png', content };
  const { id, width, height, mime_type } = await storeFile(harness.deps, request);
  expect({ width, height, mime_type }).toEqual({ width: 8, height: 4, mime_type: 'image/png' });
  expect(await images.load(harness.workspaceId, id)).toEqual(content);
  expect(await images.load(newId(), id)).toBeNull();
  expect(await images.addressOf(newId(), id)).toBeNull();
});
