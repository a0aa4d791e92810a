import type { tiers as api } from '@laurel/rpc';
import { toUnits } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { type DayTally, dayOf, NOTHING } from '../domain/activity';
import type { Mode } from '../domain/evaluate';
import { count, type Member, type Move, settle, strangerMember } from '../domain/member';
import type { Programme } from '../domain/programme';
import { assignedTo } from './assign-tier';
import { readProgramme } from './read-programme';

/**
 * How a client's tier would move over what is thought to happen: each thought is taken in as the event of it is
 * (`follow-members.ts`), the end of an assignment as `unassign-tier.ts` takes it, and a review that is due then follows
 * at once.
 */
export async function foretellMoves(
  deps: Pick<Deps, 'tierSets' | 'tiers' | 'members' | 'clock'>,
  { workspace_id: workspaceId, client_id: clientId, thoughts, at }: api.ForetellMovesRequest,
): Promise<api.ForetoldMoves> {
  const [programme, found] = await Promise.all([
    readProgramme(deps, workspaceId),
    deps.members.find(workspaceId, clientId),
  ]);
  const now = at === undefined ? deps.clock.now() : new Date(at);
  let member = found ?? strangerMember(workspaceId, clientId);
  const moves: api.ForetoldMove[] = [];
  for (const [thought, each] of thoughts.entries()) {
    const thinking = withThought(member, each, now);
    if (thinking === member) continue;
    const after = settledTwice(thinking, programme, { mode: modeOf(each), now });
    member = after.member;
    moves.push(...after.moves.map((move) => ({ thought, ...toForetold(move) })));
  }
  return { moves };
}

/** Where a member belongs after something happened, and after the review that this makes due. */
function settledTwice(
  member: Member,
  programme: Programme | null,
  { mode, now }: { mode: Mode; now: Date },
): { member: Member; moves: Move[] } {
  const first = settle(member, programme, { mode, now });
  const { dueAt } = first.member;
  const isDue = dueAt !== null && dueAt <= now;
  const last = isDue ? settle(first.member, programme, { mode: 'review', now }) : null;
  const moves = [first.move, last?.move ?? null].filter((move) => move !== null);
  return { member: last?.member ?? first.member, moves };
}

function modeOf({ assigned, by_rules: byRules }: api.Thought): Mode {
  // An assignment is thought to be taken away.
  if (assigned && assigned.tier_id === undefined) return 'review';
  return byRules ? 'consequence' : 'activity';
}

/** The same member where nothing comes of the thought. */
function withThought(
  member: Member,
  { earned, sold, assigned, enrolled }: api.Thought,
  now: Date,
): Member {
  const tallies: DayTally[] = [];
  if (earned) {
    const { wallet_type_code: code, points } = earned;
    tallies.push({ day: dayOf(now), ...NOTHING, earned: { [code]: toUnits(points) } });
  }
  if (sold) {
    const spending = toUnits(sold.spending);
    const transactions = sold.is_purchase ? 1 : 0;
    tallies.push({ day: dayOf(new Date(sold.at)), ...NOTHING, spending, transactions });
  }
  const active = tallies.reduce((before, tally) => count(before, tally, now), member);
  const isToggled = enrolled !== undefined && enrolled !== active.enabled;
  const standing = isToggled ? { ...active, enabled: enrolled } : active;
  if (!assigned) return standing;
  const { tier_id: tierId, duration_days: days = null } = assigned;
  if (tierId !== undefined) return assignedTo(standing, { tierId, days, now });
  return standing.assignment ? { ...standing, assignment: null } : standing;
}

const toForetold = ({ from, to, promoted, assigned }: Move) => ({
  from_tier_id: from?.id ?? null,
  to_tier_id: to?.id ?? null,
  promoted,
  assigned,
});
