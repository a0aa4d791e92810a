import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newId } from '@laurel/lifecycle';
import { workOffJob } from '@laurel/testing';
import { type Checkpoint, type ExportedEntry, main, verifyExport } from 'laurel-verify';
import { jobs } from '../jobs';
import { chainHash, GENESIS_HASH } from '../store/chain';
import type { EntryBody } from '../store/documents';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';

let ledger: TestLedger;
let entries: ExportedEntry[];
let checkpoint: Checkpoint;

/** A ledger in which everything happened once, exported and with a checkpoint over all of it. */
beforeAll(async () => {
  ledger = await testLedger();
  const workspace_id = await testWorkspace(ledger, { max_balance: 1_000 });
  const [a, b, c] = [newId(), newId(), newId()];
  const { rpc } = ledger;
  const as = asCaller;
  const earn = (client_id: string, amount: number, more: object = {}) =>
    as(() => rpc.EarnPoints({ workspace_id, client_id, amount, ...more }));
  await earn(a!, 100, { external_id: 'x', description: 'Order', metadata: { n: 1 } });
  await earn(a!, 50, { pending_days: 2 });
  await earn(b!, 30, { expiry_days: 5, source_type: 'transaction', source_id: 'o' });
  const spend = await as(() => rpc.SpendPoints({ workspace_id, client_id: a!, amount: 20 }));
  const lock = await as(() => rpc.LockPoints({ workspace_id, client_id: a!, amount: 40 }));
  await as(() => rpc.CaptureLock({ workspace_id, entry_id: lock.entry!.id, amount: 15 }));
  const reason = 'returned';
  await as(() => rpc.CancelEntry({ workspace_id, entry_id: spend.entry!.id, reason }));
  const transfer = { workspace_id, from_client_id: a!, to_client_id: b!, amount: 25 };
  await as(() => rpc.TransferPoints(transfer));
  await as(() => rpc.RefundPurchase({ workspace_id, source_id: 'o', ratio: 0.5 }));
  await earn(c!, 5);
  const merge = { workspace_id, source_client_id: c!, target_client_id: b! };
  await as(() => rpc.MergeClientWallets(merge));
  await ledger.deps.log.drained();
  const moment = { workspaceId: workspace_id, at: new Date(Date.now() + 1_000), now: new Date() };
  const { checkpointParts, wallets } = ledger.deps;
  await checkpointParts.leave(moment, await wallets.cuts(workspace_id, 2));
  await workOffJob(jobs(ledger.deps), 'checkpoint-parts');
  const page = await rpc.ListCheckpoints({ workspace_id, limit: 1, offset: 0 });
  checkpoint = page.checkpoints[0]!;
  const lines: string[] = [];
  for await (const rows of rpc.ExportEntries({ workspace_id })) lines.push(...rows.lines);
  entries = lines.map((line) => JSON.parse(line) as ExportedEntry);
});
afterAll(() => ledger.drop());

const check = (changed: readonly ExportedEntry[], against: Checkpoint | null = checkpoint) =>
  verifyExport(
    changed.map((entry) => JSON.stringify(entry)),
    { checkpoint: against },
  );

test('what the ledger exports is accepted, with its checkpoint', async () => {
  expect(await check(entries)).toMatchObject({ wallets: 3, partial: 0, findings: [] });
  expect(entries.length).toBeGreaterThan(12);
});

test('erased words do not break the chain', async () => {
  const erased = entries.map((entry) => ({ ...entry, note: null }));
  expect((await check(erased)).findings).toEqual([]);
});

test('a part of the ledger is accepted as a part, but not with a checkpoint', async () => {
  const part = entries.filter(({ body }) => body.sequence > 1);
  expect((await check(part, null)).findings).toEqual([]);
  expect((await check(part)).findings).not.toEqual([]);
});

test('the command line says so by its exit code', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'verifier-'));
  const file = (name: string, content: string) => {
    writeFileSync(path.join(folder, name), content);
    return path.join(folder, name);
  };
  const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const good = file('good.ndjson', entries.map((entry) => JSON.stringify(entry)).join('\n'));
  const bad = file(
    'bad.ndjson',
    entries
      .slice(1)
      .map((entry) => JSON.stringify(entry))
      .join('\n'),
  );
  const signed = file('checkpoint.json', JSON.stringify({ data: checkpoint }));
  expect(await main([good, signed])).toBe(0);
  expect(await main([bad, signed])).toBe(1);
  written.mockRestore();
});

type Forgery = (copy: ExportedEntry[], at: number) => ExportedEntry[];
const inBody =
  (change: (body: ExportedEntry['body']) => object): Forgery =>
  (copy, at) => {
    Object.assign(copy[at]!.body, change(copy[at]!.body));
    return copy;
  };
const around =
  (change: object): Forgery =>
  (copy, at) => {
    Object.assign(copy[at]!, change);
    return copy;
  };
const inNote =
  (change: object): Forgery =>
  (copy, at) => {
    Object.assign(copy[at]!.note!, change);
    return copy;
  };
const figures = ['active', 'pending', 'locked', 'earned', 'spent', 'expired', 'moved'] as const;

const forgeries: [string, Forgery][] = [
  ['drops an entry', (copy, at) => copy.filter((_, index) => index !== at)],
  ['doubles an entry', (copy, at) => [...copy.slice(0, at), copy[at]!, ...copy.slice(at)]],
  [
    'moves an entry to the front of its wallet',
    (copy, at) => {
      const first = copy.findIndex(({ body }) => body.wallet_id === copy[at]!.body.wallet_id);
      const from = first === at ? at + 1 : at;
      return [copy[from]!, ...copy.filter((_, index) => index !== from)];
    },
  ],
  ['drops the newest entry', (copy) => copy.slice(0, -1)],
  ['drops the oldest entry', (copy) => copy.slice(1)],
  [
    'drops a wallet',
    (copy, at) => copy.filter(({ body }) => body.wallet_id !== copy[at]!.body.wallet_id),
  ],
  ['changes an amount', inBody(({ amount }) => ({ amount: amount + 1 }))],
  ['changes a client', inBody(() => ({ client_id: newId() }))],
  ['changes a workspace', inBody(() => ({ workspace_id: newId() }))],
  ['changes a type', inBody(() => ({ type: 'gift' }))],
  ['changes a time', inBody(() => ({ created_at: '2020-01-01T00:00:00.000Z' }))],
  ['changes an operation', inBody(() => ({ operation_id: 'other' }))],
  ['changes a source', inBody(() => ({ source_type: 'other' }))],
  ['changes a sequence', inBody(({ sequence }) => ({ sequence: sequence + 1 }))],
  ['changes a lot', inBody(({ lots }) => ({ lots: [...lots, { id: 'x', by: 1 }] }))],
  ['changes a hash', around({ hash: 'f'.repeat(64) })],
  ['changes a prev_hash', around({ prev_hash: 'f'.repeat(64) })],
  ['changes a description', inNote({ description: 'Another order' })],
  ['changes metadata', inNote({ metadata: { n: 2 } })],
  ['adds a field', inBody(() => ({ extra: true }))],
  ['removes a field', inBody(() => ({ caps: undefined }))],
  ...figures.flatMap((name): [string, Forgery][] => [
    [
      `changes ${name} after`,
      inBody(({ after }) => ({ after: { ...after, [name]: after[name] + 1 } })),
    ],
    [
      `changes the change of ${name}`,
      inBody(({ change }) => ({ change: { ...change, [name]: change[name] + 1 } })),
    ],
  ]),
];

/** What a forger does who knows how the hashes are made. */
function rehash(forged: ExportedEntry[]): ExportedEntry[] {
  const last = new Map<string, string>();
  return forged.map((entry) => {
    const prev_hash = last.get(entry.body.wallet_id) ?? GENESIS_HASH;
    const hash = chainHash(prev_hash, entry.body as unknown as EntryBody);
    last.set(entry.body.wallet_id, hash);
    return { ...entry, prev_hash, hash };
  });
}

test.each(forgeries)('who %s, wherever it is, is found out', async (_name, forge) => {
  for (let at = 0; at < entries.length; at += 1) {
    const { findings } = await check(forge(structuredClone(entries), at));
    expect({ at, found: findings.length > 0 }).toEqual({ at, found: true });
  }
});

const inTheBody = forgeries.filter(([name]) => !/hash|description|metadata/.test(name));
test.each(inTheBody)(
  'who %s and makes all hashes anew is found out by the checkpoint',
  async (_name, forge) => {
    expect((await check(rehash(structuredClone(entries)))).findings).toEqual([]);
    for (let at = 0; at < entries.length; at += 1) {
      const { findings } = await check(rehash(forge(structuredClone(entries), at)));
      expect({ at, found: findings.length > 0 }).toEqual({ at, found: true });
    }
  },
);

test.each([
  ['root', { root: 'f'.repeat(64) }],
  ['time', { at: '2020-01-01T00:00:00.000Z' }],
  ['number of wallets', { wallets: 1 }],
  ['workspace', { workspace_id: newId() }],
  ['signature', { signature: Buffer.alloc(64).toString('base64') }],
  ['key', { key_id: '0123456789abcdef' }],
])('a checkpoint with another %s is found out', async (_name, wrong) => {
  const { findings } = await check(entries, { ...checkpoint, ...wrong });
  expect(findings).not.toEqual([]);
});
