import type { EntryDocument } from '../store/documents';
import type { HalfDocument } from '../store/entries';
import { createHalves } from './transfer-halves';

const MOST = 4;

/** Transfers: first what left, then what arrived, so that of each both sides are as far apart as they can be. */
function transfers(count: number, forged: number | null = null): EntryDocument[] {
  const side = (number: number, sign: 1 | -1): EntryDocument => {
    const [own, other] = sign < 0 ? ['out', 'in'] : ['in', 'out'];
    const moved = number === forged && sign > 0 ? 7 : 5;
    return {
      _id: `${own}-${number}`,
      wallet_id: `wallet-${own}-${number}`,
      sequence: 1,
      change: { active: sign * moved, moved: sign * moved },
      counterpart: { entry_id: `${other}-${number}` },
    } as unknown as EntryDocument;
  };
  const numbers = Array.from({ length: count }, (_, number) => number);
  return [...numbers.map((one) => side(one, -1)), ...numbers.map((one) => side(one, 1))];
}

/** Brings them together; `asked` says how many were looked up each time. */
async function verified(walked: readonly EntryDocument[], stored = walked) {
  const asked: number[] = [];
  const findHalves = async (_: string, ids: readonly string[]): Promise<HalfDocument[]> => {
    asked.push(ids.length);
    return stored.filter(({ _id }) => ids.includes(_id));
  };
  const halves = createHalves({ entries: { findHalves } as never }, 'workspace', MOST);
  const problems = [];
  for (const entry of walked) problems.push(...(await halves.add(entry)));
  problems.push(...(await halves.end()));
  return { problems, asked };
}

test('of very many transfers no more than so many sides wait for the others, and all prove sound', async () => {
  const { problems, asked } = await verified(transfers(30));
  expect(problems).toEqual([]);
  expect(asked.length).toBeGreaterThan(1);
  expect(Math.max(...asked)).toBeLessThanOrEqual(MOST);
});

test('a transfer of which more arrived than left is reported once on either side, however far apart these are', async () => {
  const { problems } = await verified(transfers(30, 11));
  expect(problems.map(({ client_wallet_id: id }) => id)).toEqual(['wallet-out-11', 'wallet-in-11']);
});

test('a side whose other side is not among those that were walked is looked up, and one that is nowhere is reported', async () => {
  const all = transfers(6);
  const left = all.filter(({ _id }) => _id.startsWith('out'));
  expect((await verified(left, all)).problems).toEqual([]);
  expect((await verified(left, [])).problems).toHaveLength(6);
});
