import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { main } from './cli';
import { chained, makeBook, makeSigner } from './testing/book';
import type { Checkpoint, ExportedEntry } from './types';

const signer = makeSigner();
const forger = makeSigner();
const book = makeBook();
const checkpoint = signer.sign(book);

let folder: string;
let output: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-verify-'));
  output = '';
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      output += text;
      return true;
    });
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string): string {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
}

function run(entries: readonly unknown[], against: unknown = checkpoint): Promise<number> {
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  return main([
    file('export.ndjson', lines),
    ...(against === null ? [] : [file('checkpoint.json', JSON.stringify(against))]),
    ...['--key', file('key.pem', signer.publicKey)],
  ]);
}

/** The book with one entry changed, and nothing else made to fit. */
function changed(id: string, change: (entry: ExportedEntry) => void): ExportedEntry[] {
  const copy = structuredClone(book);
  change(copy.find(({ body }) => body._id === id)!);
  return copy;
}
const without = (...ids: string[]) => book.filter(({ body }) => !ids.includes(body._id));
const [a1, a2, a3, b1, a4] = book as [
  ExportedEntry,
  ExportedEntry,
  ExportedEntry,
  ExportedEntry,
  ExportedEntry,
];

test('a ledger with its checkpoint is accepted, as the API wraps it or bare', async () => {
  expect(await run(book, { data: checkpoint })).toBe(0);
  expect(output).toContain('✓ 5 entries of 2 wallets: everything holds');
  expect(output).toContain(`checkpoint ${checkpoint.id} of ${checkpoint.at} over 2 wallets`);
  expect(await run(book, checkpoint)).toBe(0);
});

test('an empty file, such as a failed download leaves, is no proof unless a checkpoint says that there is nothing', async () => {
  expect(await run([], null)).toBe(2);
  expect(output).toContain('holds no entry, so there is nothing to check');
  expect(await run([], signer.sign([]))).toBe(0);
});

test('asked for help it says how it is called, and that is no failure', async () => {
  expect(await main(['--help'])).toBe(0);
  expect(output).toMatch(/^usage: laurel-verify export\.ndjson/);
});

test('a list of checkpoints, as the API answers it, is refused with what to do', async () => {
  expect(await run(book, { data: [checkpoint] })).toBe(2);
  expect(output).toContain('holds a list; put the one that is meant into a file');
});

test('entries after the checkpoint do not stand against it', async () => {
  const before = signer.sign(without('A4'), a3.body.created_at);
  expect(await run(book, before)).toBe(0);
});

test.each<[string, readonly unknown[], RegExp]>([
  [
    'an altered amount',
    changed('A2', ({ body }) => {
      body.amount = -3;
    }),
    /A entry 2: .*hash/,
  ],
  [
    'an altered balance',
    changed('B1', ({ body }) => {
      body.after.active = 9;
    }),
    /B entry 1/,
  ],
  [
    'altered words',
    changed('A1', ({ note }) => {
      note!.description = 'gift';
    }),
    /A entry 1/,
  ],
  [
    'an altered hash',
    changed('A3', (entry) => {
      entry.hash = a1.hash;
    }),
    /A entry 4: prev_hash/,
  ],
  ['an entry without its balances', [a1, { ...a2, body: { ...a2.body, after: null } }], /line 2/],
  ['a line that is no entry', [...book, { errors: [] }], /line 6 is no entry/],
  ['a missing entry', without('A2'), /A entry 3: does not follow entry 1/],
  ['a missing side of a transfer', without('B1'), /other side of the transfer/],
  ['a missing newest entry', without('A4'), /root is not the one/],
  ['a missing wallet', chained([a1, a2, a4]), /covers 2 wallets, the export 1/],
  ['a doubled entry', [...book, a4], /entry A4 stands twice/],
  ['re-ordered entries', [a2, a1, a3, b1, a4], /A entry 1: does not follow entry 2/],
  ['a ledger written anew', chained([a1, a3, b1, a4]), /root is not the one/],
  [
    'an entry of elsewhere',
    changed('B1', ({ body }) => {
      body.workspace_id = 'V';
    }),
    /workspace/,
  ],
])('%s is found', async (_what, tampered, problem) => {
  expect(await run(tampered)).toBe(1);
  expect(output).toMatch(problem);
});

/** The book with an entry that its forger wrote, and everything after it made to fit, the checkpoint too. */
const rewritten = (id: string, change: (body: ExportedEntry['body']) => void) =>
  chained(changed(id, ({ body }) => change(body)));

test.each<[string, readonly ExportedEntry[], RegExp]>([
  [
    'that come from nowhere',
    rewritten('B1', (body) => {
      body.counterpart = null;
    }),
    /B entry 1: points move, and nothing says/,
  ],
  [
    'that grow on their way',
    rewritten('B1', (body) => {
      body.change = { ...body.change, active: 100, earned: 80 };
      body.amount = 100;
      body.lots[0]!.by = 100;
    }),
    /the sides of a transfer do not match/,
  ],
  [
    'that are said to come from another wallet',
    rewritten('B1', (body) => {
      body.counterpart!.wallet_id = 'C';
    }),
    /the sides of a transfer do not match/,
  ],
])('points %s are found, though everything else fits', async (_what, forged, problem) => {
  expect(await run(forged, signer.sign(forged))).toBe(1);
  expect(output).toMatch(problem);
});

test('an entry of another client within a wallet is found, though everything else fits', async () => {
  const forged = rewritten('A2', (body) => {
    body.client_id = 'B';
  });
  expect(await run(forged, signer.sign(forged))).toBe(1);
  expect(output).toMatch(/A entry 2: the entry is of another client than the wallet/);
});

test.each<[string, Checkpoint, RegExp]>([
  ['another root', { ...checkpoint, root: checkpoint.root.replace(/^./, 'x') }, /signature/],
  ['another time', { ...checkpoint, at: '2026-01-16T11:00:00.000Z' }, /signature/],
  ['another workspace', { ...checkpoint, workspace_id: 'V' }, /workspace/],
  ['a signature without a signer', { ...checkpoint, signature: '' }, /signature/],
  ["the forger's signature", forger.sign(book), /signature is not valid/],
])('a checkpoint forged with %s is found', async (_what, forged, problem) => {
  expect(await run(book, forged)).toBe(1);
  expect(output).toMatch(problem);
});

test('what was not proved is said', async () => {
  const lines = file('export.ndjson', book.map((entry) => JSON.stringify(entry)).join('\n'));
  expect(await main([lines])).toBe(0);
  expect(output).toContain('! Without a checkpoint');
  expect(await main([lines, file('c.json', JSON.stringify(forger.sign(book)))])).toBe(0);
  expect(output).toContain('! The key is the one that the checkpoint names');
});

test.each<[string, () => string[]]>([
  ['no file', () => []],
  ['a file that is not there', () => [path.join(folder, 'nowhere.ndjson')]],
  ['something that is no export', () => [file('export.ndjson', '{"errors":[]}\n')]],
  ['a checkpoint that is none', () => [file('e.ndjson', ''), file('c.json', '{"data":{}}')]],
  ['a checkpoint that is no JSON', () => [file('e.ndjson', ''), file('c.json', 'oops')]],
  ['a flag it does not know', () => [file('e.ndjson', ''), '--quick']],
  ['a key that is none', () => ['e.ndjson', 'c.json', '--key', file('key.pem', 'oops')]],
])('%s ends with 2', async (_what, parameters) => {
  expect(await main(parameters())).toBe(2);
  expect(output).toMatch(/^laurel-verify: /);
});
