import { isDeepStrictEqual } from 'node:util';
import type { Once } from '@laurel/events';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { tiers as tiersApi } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import {
  type TierOnPass,
  templateBeforeTier,
  withoutTierTemplate,
  withTierField,
  withTierTemplate,
} from '../../domain/pass/tier-sync';
import { openCurrentTemplate } from '../template/open-current-template';
import { passToSwitch } from './switch-client-template';
import { rewritePass } from './write-pass';

interface Standing {
  tiers: readonly TierOnPass[];
  current: TierOnPass | null;
}

interface Whose {
  workspaceId: string;
  clientId: string;
}

/**
 * Puts onto the passes of a client what their tier asks for: a field, a template. Goes by the tier as it is now, so that
 * events in any order, and repeated ones, lead to the same.
 */
export async function syncTier(deps: PassDeps, whose: Whose, once: Once): Promise<void> {
  let standing = await standingOf(deps, whose);
  let hasWritten = false;
  await once(async (session) => {
    hasWritten = await putOn(deps, { ...whose, ...standing }, session);
  });
  // Of two at it at once, who read the earlier tier may write last: so who has written looks again.
  while (hasWritten) {
    const now = await standingOf(deps, whose);
    if (isDeepStrictEqual(now, standing)) return;
    standing = now;
    hasWritten = await unitOfWork(deps.connection, (session) =>
      putOn(deps, { ...whose, ...now }, session),
    );
  }
}

/** @returns whether any pass was another before */
async function putOn(
  deps: PassDeps,
  { workspaceId, clientId, tiers, current }: Whose & Standing,
  session: Session,
): Promise<boolean> {
  const held = await deps.passes.listOfClients(workspaceId, [clientId], session);
  const passes = held.filter(({ retired }) => !retired);
  const switched = await tierTemplates(deps, { passes, tier: current }, session);
  let hasWritten = false;
  for (const [index, before] of passes.entries()) {
    const synced = withTierField(switched[index]!, tiers, current);
    const after = { ...synced, date_updated: deps.clock.now() };
    if (isSame(before, after)) continue;
    await rewritePass(deps, { before, after, source: 'tier' }, session);
    hasWritten = true;
  }
  return hasWritten;
}

async function standingOf(
  { tiers }: Pick<PassDeps, 'tiers'>,
  { workspaceId, clientId }: Whose,
): Promise<Standing> {
  const request = { workspace_id: workspaceId, client_ids: [clientId] };
  const [placement] = (await tiers.GetClientTiers(request)).placements;
  const all = (await tiers.ListTiers({ workspace_id: workspaceId })).tiers.map(toTierOnPass);
  return { tiers: all, current: all.find((tier) => tier.id === placement?.tier_id) ?? null };
}

export function toTierOnPass({
  id,
  name,
  pass_template_id,
  pass_sync_config,
}: tiersApi.Tier): TierOnPass {
  return {
    id,
    name,
    pass_template_id: pass_template_id ?? null,
    pass_sync_config: pass_sync_config ?? {},
  };
}

/** The passes on the templates that the tier wants; each client has one pass per template, so one moves at most. */
async function tierTemplates(
  deps: PassDeps,
  { passes, tier }: { passes: readonly Pass[]; tier: TierOnPass | null },
  session: Session,
): Promise<Pass[]> {
  const templateId = tier?.pass_template_id ?? null;
  const [newest] = passes;
  if (!newest) return [];
  const named = templateId === null ? null : { workspaceId: newest.workspace_id, templateId };
  // One that is gone asks for nothing any more: what a tier before had put on goes all the same.
  const template = named && (await openCurrentTemplate(deps, named, session));
  if (!template) return backToBefore(deps, passes, session);
  const moving = passToSwitch(passes, template);
  return passes.map((pass) => (pass === moving ? withTierTemplate(pass, template) : pass));
}

async function backToBefore(
  deps: PassDeps,
  passes: readonly Pass[],
  session: Session,
): Promise<Pass[]> {
  const result: Pass[] = [];
  for (const pass of passes) {
    const templateId = templateBeforeTier(pass);
    const named = templateId === null ? null : { workspaceId: pass.workspace_id, templateId };
    const before = named && (await openCurrentTemplate(deps, named, session));
    const isTaken = passes.some((other) => other.pass_template_id === before?.id);
    result.push(before && !isTaken ? withoutTierTemplate(pass, before) : pass);
  }
  return result;
}

export function isSame(before: Pass, after: Pass): boolean {
  return isDeepStrictEqual({ ...before, date_updated: null }, { ...after, date_updated: null });
}
