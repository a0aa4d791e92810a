import { flameOf, renderFlame } from './flame.mjs';

const frame = (functionName: string, url = '', lineNumber = 0) => ({
  functionName,
  url,
  lineNumber,
});

/** Two ways into one function, one of them through a library; the last sample lasts for no time. */
const profile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 6] },
    { id: 2, callFrame: frame('(idle)') },
    {
      id: 3,
      callFrame: frame('earn', 'file:///x/services/ledger/dist/earn.js', 9),
      children: [4, 5],
    },
    { id: 4, callFrame: frame('send', 'file:///x/node_modules/undici/lib/pool.js', 4) },
    { id: 5, callFrame: frame('send', 'file:///x/node_modules/undici/lib/pool.js', 4) },
    { id: 6, callFrame: frame('a<b>&', '', 0) },
  ],
  samples: [2, 3, 4, 5, 6, 6],
  timeDeltas: [0, 500, 100, 200, 300, 400],
};

test('a flame is as wide as its function and all that it called, and nothing to do is no flame', () => {
  const whole = flameOf(profile);
  expect(whole.us).toBe(1_000);
  const [earn, strange] = [...whole.below.values()];
  expect(earn).toMatchObject({
    name: 'earn',
    place: '@laurel/services/ledger/earn.js:10',
    us: 600,
  });
  expect(strange).toMatchObject({ name: 'a<b>&', us: 400 });
});

test('one function below one caller is one flame, at however many nodes it was sampled', () => {
  const [earn] = [...flameOf(profile).below.values()];
  expect([...(earn?.below.values() ?? [])]).toEqual([
    expect.objectContaining({ name: 'send', place: 'undici/lib/pool.js:5', us: 500 }),
  ]);
});

test('each flame stands below its caller, within it, and says in full what it is', () => {
  const svg = renderFlame('earn, one process', flameOf(profile));
  const boxes = [...svg.matchAll(/class="box" x="([\d.]+)%" y="(\d+)" width="([\d.]+)%"/g)];
  expect(boxes.map(([, x, y, width]) => [x, y, width].map(Number))).toEqual([
    [0, 44, 100],
    [0, 61, 60],
    [0, 78, 50],
    [60, 61, 40],
  ]);
  expect(svg).toContain('earn @laurel/services/ledger/earn.js:10\n0.6 ms, 60.0 %');
});

test('a name with the signs of markup is written as text', () => {
  const svg = renderFlame('a & b', flameOf(profile));
  expect(svg).toContain('>a &amp; b: 1 ms of work');
  expect(svg).toContain('<text x="3" y="13">a&lt;b&gt;&amp;</text>');
});

test('a process that did nothing has a graph without flames', () => {
  const svg = renderFlame('idle', flameOf({ ...profile, samples: [2, 2], timeDeltas: [0, 500] }));
  expect(svg).not.toContain('class="box"');
});
