import { createEvent } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { checkAndCommitOnce, isDuplicateKey } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { TierSet } from '../domain/programme';
import { refusals } from '../refusals';
import { conditionsFrom, downgradeFrom, requireWalletTypes } from './configuration-fields';
import { toTierSetReply } from './wire';

/** Creates the tier set of a workspace. A second one is refused, also when two are made at once. */
export async function createTierSet(
  deps: Pick<Deps, 'connection' | 'tierSets' | 'outbox' | 'ledger'>,
  request: api.CreateTierSetRequest,
): Promise<api.TierSet> {
  const { workspace_id: workspaceId } = request;
  const set: TierSet = {
    id: newId(),
    workspace_id: workspaceId,
    name: request.name,
    active: request.active ?? true,
    conditions: conditionsFrom(request.conditions ?? { items: [] }),
    downgrade_config: downgradeFrom(request.downgrade_config ?? {}),
  };
  const check = () => requireWalletTypes(deps, workspaceId, set.conditions);
  try {
    return await checkAndCommitOnce(deps.connection, check, async (session) => {
      await deps.tierSets.insert(set, session);
      const told = { workspaceId, subject: set.id, data: { tier_set: set } };
      await deps.outbox.append([createEvent('tiers.tier_set_created', told)], session);
      return toTierSetReply(set, []);
    });
  } catch (error) {
    if (isDuplicateKey(error)) throw refusals.tierSetExists();
    throw error;
  }
}
