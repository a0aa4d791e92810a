import { setTimeout as pause } from 'node:timers/promises';
import { type Session, unitOfWork } from '@laurel/mongo';
import { PIECE_LEASE_MS } from '@laurel/work';
import type { Deps } from '../deps';
import type { Member } from '../domain/member';
import { type Claim, LostLease, type PieceDone, type ResyncJob } from '../store/resync-jobs';
import { readProgramme } from './read-programme';
import { recordMoves } from './record-moves';
import { isDifferent, type SettleDeps, settled } from './settle-member';

/** Members evaluated in one transaction. */
export const PIECE = 250;
const RETRY_MS = 2_000;
const ATTEMPTS_MAX = 8;

export interface Pace {
  perSecond: number;
  /** True once this process is to stop: the job is left to another, or to a later one. */
  isStopping: () => boolean;
}

type ResyncDeps = SettleDeps &
  Pick<Deps, 'connection' | 'tierSets' | 'tiers' | 'resyncJobs' | 'logger'>;

/**
 * Works on a resync job, piece by piece and at a pace that leaves room for everything else. Each piece and the note that
 * it is done are one transaction, so that a worker that takes over after a crash goes on right there.
 */
export async function runResync(deps: ResyncDeps, claim: Claim, pace: Pace): Promise<void> {
  try {
    await work(deps, claim, pace);
  } catch (error) {
    if (!(error instanceof LostLease)) await giveUpOrRetry(deps, claim, error);
  }
}

async function work(
  deps: ResyncDeps,
  claim: Claim,
  { perSecond, isStopping }: Pace,
): Promise<void> {
  const begun = claim.job.startedAt ? claim.job : await begin(deps, claim);
  for (let position = begun.position; position * PIECE < begun.total; position += 1) {
    if (isStopping()) return deps.resyncJobs.giveBack(claim, deps.clock.now());
    const startedAt = Date.now();
    const size = Math.min(PIECE, begun.total - position * PIECE);
    await doPiece(deps, { ...claim, job: { ...begun, position } }, size);
    const spent = Date.now() - startedAt;
    await pause(Math.max(0, (size / perSecond) * 1_000 - spent));
  }
  await deps.resyncJobs.finish(claim, deps.clock.now(), null);
}

/** Cuts the work into pieces once, so that each can be found again by two ids. */
async function begin({ members, resyncJobs, clock }: ResyncDeps, claim: Claim): Promise<ResyncJob> {
  const { job } = claim;
  const { ends, total } = job.clientIds
    ? { ends: [], total: job.clientIds.length }
    : await members.eligiblePieces(job.workspaceId, PIECE);
  const pieces = { boundaries: ends, total };
  if (!(await resyncJobs.begin(claim, pieces, clock.now()))) throw new LostLease();
  return { ...job, ...pieces };
}

async function doPiece(deps: ResyncDeps, claim: Claim, size: number): Promise<PieceDone> {
  return unitOfWork(deps.connection, async (session) => {
    const { job } = claim;
    const programme = await readProgramme(deps, job.workspaceId, session);
    const now = deps.clock.now();
    const found = await membersOf(deps, job, session);
    const occasion = { programme, mode: 'review', reason: 'resync' } as const;
    const outcomes = found
      .filter(({ state }) => state === 'alive')
      .map((member) => ({ member, change: settled(member, occasion, now) }));
    const [changed, unchanged] = partition(outcomes, ({ member, change }) =>
      isDifferent(member, change.member),
    );
    const changes = changed.map(({ change }) => change);
    const moves = changes.map(({ move }) => move).filter((move) => move !== null);
    const promoted = moves.filter((move) => move.promoted).length;
    const done = { processed: size, promoted, demoted: moves.length - promoted };
    // First the claim: who lost it must not write a single member.
    const leaseUntil = new Date(deps.clock.now().getTime() + PIECE_LEASE_MS);
    await deps.resyncJobs.advance(claim, { ...done, leaseUntil }, session);
    await recordMoves(deps, { workspaceId: job.workspaceId, changes }, session);
    const ids = unchanged.map(({ member }) => member.id);
    await deps.members.touch(job.workspaceId, ids, session);
    return done;
  });
}

function partition<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

function membersOf(
  { members }: ResyncDeps,
  { workspaceId, clientIds, boundaries, position }: ResyncJob,
  session: Session,
): Promise<Member[]> {
  if (clientIds) {
    const ids = clientIds.slice(position * PIECE, (position + 1) * PIECE);
    return members.findMany(workspaceId, ids, session);
  }
  const after = position === 0 ? '' : boundaries[position - 1]!;
  const piece = { after, until: boundaries[position] ?? null };
  return members.eligibleBetween(workspaceId, piece, session);
}

async function giveUpOrRetry(
  { resyncJobs, clock, logger }: ResyncDeps,
  claim: Claim,
  error: unknown,
): Promise<void> {
  const { workspaceId, id } = claim.job;
  // As it stands by now: pieces that were done since it was claimed have made up for the faults before.
  const job = (await resyncJobs.find(workspaceId, id)) ?? claim.job;
  const attempts = job.attempts + 1;
  logger.error({ err: error, job: job.id, attempts }, 'a resync stopped on a fault');
  const now = clock.now();
  if (attempts >= ATTEMPTS_MAX)
    return resyncJobs.finish(claim, now, 'the clients could not be evaluated');
  await resyncJobs.giveBack(claim, new Date(now.getTime() + RETRY_MS * 2 ** attempts));
}
