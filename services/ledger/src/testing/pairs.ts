import { verifyExport } from 'laurel-verify';
import type { Draft, Moment } from '../domain/types';
import { ChainCheck } from '../store/chain-check';
import type { Planner } from '../store/planner';
import { lineOf } from '../use-cases/export-entries';

type Both<T> = readonly [T, T];

/** Adds what leaves one wallet and arrives in another: each of the two entries names the other, as the log has it. */
export function addPair(
  planners: Both<Planner>,
  drafts: Both<Draft>,
  { moments, identify }: { moments: Both<Moment>; identify: () => Parameters<Planner['add']>[2] },
): void {
  for (const [own, other] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const { id, clientId } = planners[other].head.ref;
    const counterpart = { entry_id: moments[other].entryId, wallet_id: id, client_id: clientId };
    planners[own].add(drafts[own], moments[own], { ...identify(), counterpart });
  }
}

/** Expects entries to replay to what stands, and their export to be proof to who has nothing else. */
export async function expectProven(planners: readonly Planner[]): Promise<void> {
  for (const { documents } of planners) {
    const check = new ChainCheck(null);
    for (const entry of documents) check.next(entry);
    check.end();
    expect(check.takeProblems()).toEqual([]);
  }
  const lines = planners.flatMap(({ documents }) => documents.map(lineOf));
  expect((await verifyExport(lines, { checkpoint: null })).findings).toEqual([]);
}
