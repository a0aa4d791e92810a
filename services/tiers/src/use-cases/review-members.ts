import type { TierReason } from '@laurel/contract';
import { unitOfWork } from '@laurel/mongo';
import { workInTurn } from '@laurel/work';
import type { Deps } from '../deps';
import type { Member } from '../domain/member';
import { readProgramme } from './read-programme';
import { type SettleDeps, settleMember } from './settle-member';

/** Members looked at before asking whether more are due. */
const BATCH = 200;

type ReviewDeps = SettleDeps & Pick<Deps, 'connection' | 'tierSets' | 'tiers'>;

/** The periodic job: members who may no longer hold their tier are looked at, and demoted where that is so. */
export async function reviewMembers(deps: ReviewDeps): Promise<{ more: boolean }> {
  const due = await deps.members.dueForReview(deps.clock.now(), BATCH);
  return workInTurn(due, BATCH, (member) => review(deps, member, 'periodic'));
}

/** Ends the assignments whose time is up. */
export async function endAssignments(deps: ReviewDeps): Promise<{ more: boolean }> {
  const ended = await deps.members.withEndedAssignment(deps.clock.now(), BATCH);
  return workInTurn(ended, BATCH, (member) => review(deps, member, 'expired'));
}

/** Looks at one member as it is by now: another replica may have been here. */
async function review(
  deps: ReviewDeps,
  { id, workspaceId }: Pick<Member, 'id' | 'workspaceId'>,
  reason: TierReason,
): Promise<void> {
  await unitOfWork(deps.connection, async (session) => {
    const member = await deps.members.find(workspaceId, id, session);
    const now = deps.clock.now();
    if (!member || !isDue(member, reason, now)) return;
    const programme = await readProgramme(deps, workspaceId, session);
    await settleMember(deps, { member, programme, mode: 'review', reason, now }, session);
  });
}

function isDue({ dueAt, assignment }: Member, reason: TierReason, now: Date): boolean {
  const moment = reason === 'expired' ? (assignment?.expiresAt ?? null) : dueAt;
  return moment !== null && moment <= now;
}
