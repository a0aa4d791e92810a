import { isFinalRefusal, type JsonObject, platform, Refusal } from '@laurel/errors';
import { mapAtOnce, stableId } from '@laurel/lifecycle';
import type { clients as clientsApi } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Action } from '../domain/action';
import { asFixed, errorAfter, type Member, settledStatus } from '../domain/audience';
import { isDue } from '../domain/is-due';
import type { CampaignHead } from '../store/mapping';
import {
  type Applied,
  failed,
  operationOf,
  PASS_GONE,
  type Served,
  servedTogetherMax,
  sourceOf,
} from './apply-action';
import { applyOnce } from './apply-once';
import { followMerged } from './follow-merged';

/** As many as two replicas of a peer begin at once: beyond that they only queue there. */
const AT_ONCE = 16;
/**
 * After as many tries a member for whom a service keeps failing is given up, so that the others get their turn. Tries are each
 * member's own: how often a page failed for another, or waited for a service, is no reason to give up this one.
 */
const FAULTS_MAX = 6;

export interface Serving {
  campaign: CampaignHead;
  action: Action;
  /** Nothing more is to come for the members after this action. */
  isLast: boolean;
  /** How often serving them, or others of their page or part, ended in a fault. */
  faults: number;
}

type Try = Served & { outcome: Applied | { fault: unknown } };

/**
 * Applies an action to members and notes what came of it; one who was merged meanwhile is served as whom they became.
 * Throws when a service is away; who was served by then is noted, and the others are served when it is tried again.
 */
export async function serveMembers(
  deps: Deps,
  serving: Serving,
  members: readonly Member[],
): Promise<void> {
  if (members.length === 0) return;
  const { campaign, action } = serving;
  const ids = members.map(({ id }) => id);
  await deps.audience.start(campaign.workspace_id, { actionId: action.id, ids });
  const people = await peopleFor(deps, action, members);
  const whom = members.map((member) => ({ member, client: people.get(member.client_id) }));
  const tries = areServedTogether(serving)
    ? await attemptTogether(deps, action, whom)
    : await mapAtOnce(whom, AT_ONCE, async (one) => ({
        ...one,
        outcome: await attempt(deps, serving.action, one),
      }));
  const doubtful = tries.filter((one) => mayBeMerged(action, one)).map(({ member }) => member);
  const moved = await followMerged(deps, campaign.workspace_id, doubtful);
  const movedIds = new Set(moved.map(({ id }) => id));
  const own = tries.filter(({ member }) => !movedIds.has(member.id));
  await note(deps, serving, own);
  await serveMembers(
    deps,
    serving,
    moved.filter((member) => isDue(action, member)),
  );
  await throwFaults(deps, serving, own);
}

/** Throws what the tries met, and notes for which members a service failed that was there, where it was asked for each alone. */
async function throwFaults(
  { audience }: Pick<Deps, 'audience'>,
  serving: Serving,
  tries: readonly Try[],
): Promise<void> {
  const faulty = tries.flatMap(({ member, outcome }) =>
    'fault' in outcome ? [{ id: member.id, fault: outcome.fault }] : [],
  );
  const alone = areServedTogether(serving) ? [] : faulty.filter(({ fault }) => !isAway(fault));
  const ids = alone.map(({ id }) => id);
  await audience.countFaults(serving.campaign.workspace_id, { actionId: serving.action.id, ids });
  const [first] = faulty;
  if (first) throw first.fault;
}

const isAway = (fault: unknown): boolean =>
  fault instanceof Refusal &&
  fault.httpStatus === platform.serviceUnavailable.definition.httpStatus;

/** Whether what came of a try is what comes of a client that is no more. */
function mayBeMerged({ action_type: type }: Action, { client, outcome }: Try): boolean {
  if ('fault' in outcome) return false;
  const isMissing = type === 'push_notification' && client === undefined;
  const isUnreachable = isMissing || outcome.error === PASS_GONE;
  return outcome.result === 'failed' || (isUnreachable && outcome.result === 'unreachable');
}

/** Notes what came of the tries that ended, in the trail and beside the members. */
async function note(deps: Deps, serving: Serving, tries: readonly Try[]): Promise<void> {
  const { action, isLast } = serving;
  const served = tries.flatMap(({ member, outcome }) =>
    'fault' in outcome ? [] : [{ member, applied: outcome }],
  );
  await tell(deps, serving, served);
  const at = deps.clock.now();
  const results = served.map(({ member, applied: { result, error, rewardsIssued } }) => {
    const status = isLast
      ? settledStatus({ ...member.outcomes, [action.id]: result })
      : ('processing' as const);
    const message = errorAfter(member, result, error);
    return { member, result, status, error: message, rewardsIssued, at };
  });
  await deps.audience.record(action.id, results);
}

/**
 * Members are served together where the service that does it can. Not where that failed the last time: one of them may be
 * why, and is then found out and given up by itself.
 */
export function areServedTogether({ action, faults }: Pick<Serving, 'action' | 'faults'>): boolean {
  return servedTogetherMax(action) > 1 && faults === 0;
}

async function attemptTogether(
  deps: Deps,
  action: Action,
  served: readonly Served[],
): Promise<Try[]> {
  try {
    const applied = await applyOnce(deps, action, served);
    return served.map((one, at) => ({ ...one, outcome: applied[at]! }));
  } catch (error) {
    const outcome = isFinalRefusal(error) ? failed(error.message) : { fault: error };
    return served.map((one) => ({ ...one, outcome }));
  }
}

/** Pushes look at consent as it is now. */
async function peopleFor(
  { clients }: Pick<Deps, 'clients'>,
  { action_type: type, workspace_id }: Action,
  members: readonly Member[],
): Promise<Map<string, clientsApi.Client>> {
  if (type !== 'push_notification') return new Map();
  const ids = [...new Set(members.map(({ client_id }) => client_id))];
  const found = await clients.GetClients({ workspace_id, ids });
  return new Map(found.clients.map((client) => [client.id, client]));
}

async function attempt(
  deps: Deps,
  action: Action,
  served: Served,
): Promise<Applied | { fault: unknown }> {
  try {
    const [applied] = await applyOnce(deps, action, [served]);
    return applied!;
  } catch (error) {
    if (isFinalRefusal(error)) return failed(error.message);
    const faults = served.member.faults?.[action.id] ?? 0;
    if (isAway(error) || faults < FAULTS_MAX) return { fault: error };
    deps.logger.error(
      { err: error, member: served.member.id },
      'a member of an audience was given up',
    );
    return failed('a service kept failing');
  }
}

/** Writes into the trail what the action did; its ids make a repeat the same entry. */
async function tell(
  { clients }: Pick<Deps, 'clients'>,
  { campaign, action }: Serving,
  served: readonly { member: Member; applied: Applied }[],
): Promise<void> {
  const entries = served.flatMap(({ member, applied: { told } }) =>
    told === null ? [] : [entryOf({ campaign, action }, member, told)],
  );
  if (entries.length > 0)
    await clients.RecordTrail({ workspace_id: campaign.workspace_id, entries });
}

function entryOf(
  { campaign, action }: Pick<Serving, 'campaign' | 'action'>,
  member: Member,
  told: JsonObject,
): clientsApi.TrailEntry {
  return {
    id: stableId(`${operationOf(action, asFixed(member))} told`),
    client_id: member.client_id,
    ...(member.pass_id === null ? {} : { pass_id: member.pass_id }),
    event_category: 'custom',
    event_type: `campaign_${action.action_type}`,
    source: sourceOf(campaign.id),
    // Other services tell what they did; a rule that fires on any event must not fire on the campaign's note of it.
    untold: true,
    metadata: { campaign_id: campaign.id, campaign_action_id: action.id, ...told },
  };
}
