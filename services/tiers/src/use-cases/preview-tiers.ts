import { invalidField } from '@laurel/errors';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { evaluate } from '../domain/evaluate';
import { type Programme, programmeOf, type Rung } from '../domain/programme';
import {
  conditionsFrom,
  downgradeFrom,
  kindFrom,
  requireWalletTypes,
  thresholdsFrom,
} from './configuration-fields';
import { type Configuration, requireConfiguration } from './read-programme';

const SAMPLE_MAX = 50;

interface Shift {
  from_tier_id: string | null;
  to_tier_id: string | null;
  count: number;
}

/**
 * What a resync would change if the set and its tiers were as described. Asks the same function as the
 * jobs do, reads without names, and writes nothing.
 */
export async function previewTiers(
  deps: Pick<Deps, 'tierSets' | 'tiers' | 'members' | 'clock' | 'ledger'>,
  request: api.PreviewTiersRequest,
): Promise<api.TierPreview> {
  const { workspace_id: workspaceId } = request;
  const programme = hypothetical(await requireConfiguration(deps, workspaceId), request);
  if (request.conditions) await requireWalletTypes(deps, workspaceId, programme.conditions);
  const now = deps.clock.now();
  const shifts = new Map<string, Shift>();
  const sample: api.TierChangeSample[] = [];
  let evaluated = 0;
  const everybody = deps.members.eligibleFacts(workspaceId, {
    withDays: programme.lookbackDays > 0,
  });
  for await (const { clientId, ...facts } of everybody) {
    evaluated += 1;
    const to_tier_id = evaluate(facts, programme, { mode: 'review', now }).tier?.id ?? null;
    const from_tier_id = facts.tierId;
    if (from_tier_id === to_tier_id) continue;
    const key = `${from_tier_id} ${to_tier_id}`;
    const shift = shifts.get(key) ?? { from_tier_id, to_tier_id, count: 0 };
    shifts.set(key, { ...shift, count: shift.count + 1 });
    if (sample.length < SAMPLE_MAX) sample.push({ client_id: clientId, from_tier_id, to_tier_id });
  }
  const changes = [...shifts.values()].sort((a, b) => b.count - a.count);
  const changed = changes.reduce((sum, { count }) => sum + count, 0);
  return { evaluated, unchanged: evaluated - changed, changes, sample };
}

function hypothetical(
  { set, tiers }: Configuration,
  { conditions, downgrade_config, tiers: drafts }: api.PreviewTiersRequest,
): Programme<Rung> {
  return programmeOf(
    {
      active: set.active,
      conditions: conditions ? conditionsFrom(conditions) : set.conditions,
      downgrade_config: downgrade_config ? downgradeFrom(downgrade_config) : set.downgrade_config,
    },
    drafts ? drafts.items.map((draft, index) => toRung(draft, index, tiers)) : tiers,
  );
}

function toRung(draft: api.TierDraft, index: number, tiers: readonly Rung[]): Rung {
  const known = tiers.find(({ id }) => id === draft.id);
  if (draft.id !== undefined && !known)
    throw invalidField(`tiers.${index}.id`, 'there is no such tier in the workspace');
  return {
    id: known?.id ?? `new:${index}`,
    sort_order: draft.sort_order ?? known?.sort_order ?? 0,
    kind: kindFrom(draft.kind ?? known?.kind ?? 'auto'),
    condition_values: draft.condition_values
      ? thresholdsFrom(draft.condition_values)
      : (known?.condition_values ?? {}),
  };
}
