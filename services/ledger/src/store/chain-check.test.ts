import { T0 } from '../testing/wallets';
import { bodyOf, chainHash, GENESIS_HASH, walletIdOf } from './chain';
import { ChainCheck } from './chain-check';
import type { EntryDocument } from './documents';

const [workspace_id, client_id, wallet_type_id] = ['w', 'c', 't'];
const WALLET = {
  workspace_id,
  client_id,
  wallet_type_id,
  wallet_id: walletIdOf(workspace_id!, client_id!, wallet_type_id!),
};
const NOTHING = { active: 0, pending: 0, locked: 0, earned: 0, spent: 0, expired: 0, moved: 0 };

/** Entries of one wallet that earn, each the given number of lots of one unit. */
function* earning(counts: readonly number[]): Generator<EntryDocument> {
  let [prev_hash, active] = [GENESIS_HASH, 0];
  for (const [at, count] of counts.entries()) {
    const sequence = at + 1;
    active += count;
    const lots = Array.from({ length: count }, (_, index) => ({
      id: `${sequence}.${index}`,
      made_at: T0,
      sequence,
      expires_at: null,
      by: 1,
      matures_at: null,
    }));
    const entry = {
      ...WALLET,
      sequence,
      change: { ...NOTHING, active: count, earned: count },
      after: { ...NOTHING, active, earned: active },
      ...{ lots, holds: [], closing: null, note: null, created_at: new Date(T0) },
    } as unknown as EntryDocument;
    const hash = chainHash(prev_hash, bodyOf(entry));
    yield { ...entry, prev_hash, hash };
    prev_hash = hash;
  }
}

test('a wallet of very many open lots is replayed in steps of what each entry changes, and found sound', () => {
  const check = new ChainCheck(null);
  const counts = [...Array<number>(10).fill(20_000), ...Array<number>(20_000).fill(1)];
  for (const entry of earning(counts)) check.next(entry);
  check.end();
  expect(check.takeProblems()).toEqual([]);
});

test('of a wallet of very many open lots a balance is found that they do not add up to', () => {
  const check = new ChainCheck(null);
  const entries = [...earning([20_000, 20_000, 1])];
  const { after, change, ...last } = entries.at(-1)!;
  const wrong = (figures: typeof after) => ({
    ...figures,
    active: figures.active + 1,
    earned: figures.earned + 1,
  });
  const changed = { ...last, after: wrong(after), change: wrong(change) };
  const hash = chainHash(changed.prev_hash, bodyOf(changed));
  for (const entry of [...entries.slice(0, -1), { ...changed, hash }]) check.next(entry);
  expect(check.takeProblems()).toEqual([
    { sequence: 3, problem: 'the lots do not add up to the active balance' },
  ]);
});
