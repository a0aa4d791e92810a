import { Neighbours, neighboursPer } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { Attempt } from '../domain/redemption';
import type { UsageKey } from '../store/usages';
import { usageKeys } from './usage-keys';

/** An attempt whose redemption is there, as one of `writtenFor`. */
interface Settlement {
  deps: Deps;
  attempt: Attempt;
  writtenFor: string;
}

/**
 * The redemption is there, as one of `writtenFor`: its reservations become final and the attempt is forgotten. Repeatable.
 * Those of one workspace that come at once are settled at once.
 */
export async function settleAttempt(
  deps: Deps,
  attempt: Attempt,
  writtenFor: string,
): Promise<void> {
  const { connection } = deps;
  await settlementsOf(connection).run(attempt.workspace_id, { deps, attempt, writtenFor });
}

const settlementsOf = neighboursPer<Connection, Settlement, void>(
  () =>
    new Neighbours(async (waiting) => {
      await settleAll(waiting.map(({ item }) => item));
      return waiting.map(() => undefined);
    }),
);

async function settleAll(settlements: readonly Settlement[]): Promise<void> {
  const [{ deps }] = settlements as [Settlement, ...Settlement[]];
  const attempts = settlements.map((settlement) => settlement.attempt);
  await Promise.all([settleRewards(deps, attempts), settleUses(settlements)]);
  await deps.attempts.removeAll(attempts, 'settling');
}

async function settleRewards({ rewards }: Deps, attempts: readonly Attempt[]): Promise<void> {
  const marks = new Map<string, { workspaceId: string; ids: string[] }>();
  for (const { id, reward_id: rewardId, workspace_id: workspaceId } of attempts) {
    const known = marks.get(rewardId);
    if (known) known.ids.push(id);
    else marks.set(rewardId, { workspaceId, ids: [id] });
  }
  await Promise.all(
    [...marks].map(([rewardId, { workspaceId, ids }]) =>
      rewards.settleAll(workspaceId, rewardId, ids),
    ),
  );
}

/** A merge while this goes on carries a use, mark and all, to another client: it is made final there, too. */
async function settleUses(settlements: readonly Settlement[]): Promise<void> {
  let left = settlements;
  while (left.length > 0) {
    const [{ deps, attempt }] = left as [Settlement, ...Settlement[]];
    await deps.usages.settleAll(
      attempt.workspace_id,
      left.flatMap(keysOf),
      left.map((settlement) => settlement.attempt.id),
    );
    const carried = await Promise.all(left.map(carriedOn));
    left = carried.filter((settlement) => settlement !== null);
  }
}

const keysOf = ({ attempt, writtenFor }: Settlement): UsageKey[] => usageKeys(attempt, writtenFor);

/** The same for the client that this one has become; null where it is still the one that it was written for. */
async function carriedOn(settlement: Settlement): Promise<Settlement | null> {
  const { deps, attempt, writtenFor: clientId } = settlement;
  const workspaceId = attempt.workspace_id;
  const current = await deps.departures.catchUp(deps, { workspaceId, clientId });
  return current === clientId ? null : { ...settlement, writtenFor: current };
}
