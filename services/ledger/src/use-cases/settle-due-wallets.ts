import { newId } from '@laurel/lifecycle';
import { type Claimed, type PageJob, PIECE_LEASE_MS } from '@laurel/work';
import type { Deps } from '../deps';
import { nextDueAt } from '../domain/settle';
import type { DueWallet } from '../store/wallets';

/** Wallets that one process has in hand at once, and those of one workspace among them. */
const CONCURRENCY = 400;
const SHARE = 200;
/** Wallets that are settled together: so many share what writing them costs. */
const PAGE = 100;

/**
 * Matures, expires and releases whatever is due in wallets in which nothing else happens, within a minute of its time (part 3,
 * section 4.3). Workspaces take turns (docs/adr/0012): points of half a million members that end at once hold up those of no other.
 * Each of these is an operation with a name of its own, so that any number of replicas may do this at once; a claim spares them
 * double work.
 */
export const settling = (deps: Deps): PageJob<DueWallet> => ({
  name: 'settle',
  due: deps.wallets.due,
  concurrency: CONCURRENCY,
  share: SHARE,
  page: PAGE,
  leaseMs: PIECE_LEASE_MS,
  clock: { now: () => new Date(deps.now()) },
  workPage: (page) => settlePage(deps, page),
});

/**
 * A fault in one wallet keeps no other from it: rejects with what failed once all were settled. Those are looked at again when their
 * claims end, behind what is due by then.
 */
async function settlePage(deps: Deps, page: readonly Claimed<DueWallet>[]): Promise<void> {
  const outcomes = await Promise.allSettled(page.map(({ row }) => settle(deps, row)));
  const settled = page.filter((_, at) => outcomes[at]!.status === 'fulfilled');
  await deps.snapshots.ensure(
    settled.map(({ row: { ref, sequence } }) => ({ head: ref, sequence: sequence + 1 })),
  );
  await endClaims(deps, settled);
  const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} wallets could not be settled`);
}

/** The log settles a wallet before any operation; this one has nothing else in mind. */
async function settle({ log }: Deps, { ref }: DueWallet): Promise<void> {
  await log.perform({ wallet: ref, operationId: `settle:${newId()}`, decide: () => null });
}

/** A snapshot ends a claim. Where none was written nothing was due, or another release wrote it; what is due still keeps its claim. */
async function endClaims(deps: Deps, settled: readonly Claimed<DueWallet>[]): Promise<void> {
  const claims = await deps.wallets.claimed(settled);
  const heads = await deps.heads.proven(claims.map(({ row }) => row.ref));
  for (const claim of claims) {
    const { ref } = claim.row;
    const head = heads.get(ref.id)!;
    const dueAt = nextDueAt(head.wallet);
    if (dueAt === null || dueAt > deps.now(ref.workspaceId))
      await deps.wallets.endClaim(claim, head);
  }
}
