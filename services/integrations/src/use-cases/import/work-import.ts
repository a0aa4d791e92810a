import { Refusal } from '@laurel/errors';
import { unitOfWork } from '@laurel/mongo';
import type { IntegrationDeps } from '../../deps';
import { backoffMs, IMPORT_FAILURES_MAX } from '../../domain/backoff';
import { Unreadable } from '../../domain/read-event';
import { findProvider } from '../../outside/providers';
import { type Account, FetchFailed, type Imports } from '../../outside/providers/provider';
import type { LeasedImport } from '../../store/import-jobs';
import { accountOf } from '../integration/require-integration';
import { recordNext } from './record-sales';

const AWAY_MS = 5_000;
/** After that long the imports of others get their turn. */
const SLICE_MS = 10_000;
/** A till whose cursors lead in a circle would be asked for ever. */
const BARREN_PAGES_MAX = 100;
/** What one import may hold, which is kept until it has ended; more is imported by several. */
const TRANSACTIONS_MAX = 500_000;
const PAGES_MAX = 20_000;
const GIB_MAX = 1;

/** The job is somebody else's by now, or was cancelled. */
class LostImport extends Error {
  override readonly name = 'LostImport';
}

/** Others get their turn; the job goes on where it stands when its own comes again. */
class EndOfSlice extends Error {
  override readonly name = 'EndOfSlice';
}

interface Work {
  account: Account;
  imports: Imports;
  /** Ends the slice when it is over; called where the job may stand. */
  rest(): void;
}

/**
 * Takes an import on for a while, or to its end. Each page and each batch is noted when it is in, so that a crash costs at most
 * one of them; events are recognized by the transaction's id.
 */
export async function workImport(deps: IntegrationDeps, job: LeasedImport): Promise<void> {
  const { importJobs, clock } = deps;
  if (await importJobs.giveWay(job, clock.now())) return;
  try {
    await takeOver(deps, job);
  } catch (error) {
    if (error instanceof EndOfSlice) await importJobs.postpone(job, clock.now(), 0);
    else if (error instanceof LostImport) await leave(deps, job);
    else await settleFault(deps, job, error);
  }
  // Where this one has ended; as long as it has not, it is the first itself.
  await importJobs.callNext(job.workspace_id, job._id, clock.now());
}

/** Of an import that has ended nothing is worked on any more; one that another replica goes on with needs what was fetched. */
async function leave(deps: IntegrationDeps, job: LeasedImport): Promise<void> {
  const row = await deps.importJobs.get(job.workspace_id, job.provider, job._id);
  if (row?.status !== 'running') await deps.importRecords.removeJob(job._id);
}

async function takeOver(deps: IntegrationDeps, job: LeasedImport): Promise<void> {
  await deps.importJobs.begin(job, deps.clock.now());
  const work = await workOf(deps, job);
  const fetched = job.phase === 'fetching' ? await fetchAll(deps, job, work) : job;
  const processed = await processAll(deps, fetched, work);
  const isEnded = await deps.importJobs.finish(processed, 'completed', { now: deps.clock.now() });
  if (!isEnded) throw new LostImport();
  await deps.importRecords.removeJob(job._id);
  await deps.integrations.noteSynced(job.workspace_id, job.provider, deps.clock.now());
}

/** As it is configured now: a key that was replaced meanwhile counts. */
async function workOf(deps: IntegrationDeps, job: LeasedImport): Promise<Work> {
  const integration = await deps.integrations.get(job.workspace_id, job.provider);
  const imports = findProvider(job.provider)?.imports;
  const now = deps.clock.now();
  // Ordered while the integration was deleted: others would wait behind it for ever.
  if (!integration) {
    await deps.importJobs.finish(job, 'cancelled', { now });
    throw new LostImport();
  }
  // For others, too. A replica of another release may know the provider's, so that it fails only by its last try.
  if (!imports) throw new FetchFailed(`nothing can be imported from ${job.provider}`, false);
  const endsAt = now.getTime() + SLICE_MS;
  const rest = (): void => {
    if (deps.clock.now().getTime() >= endsAt) throw new EndOfSlice();
  };
  return { imports, account: accountOf(deps, integration), rest };
}

async function fetchAll(
  deps: IntegrationDeps,
  begun: LeasedImport,
  { account, imports, rest }: Work,
): Promise<LeasedImport> {
  const call = deps.restOf({ workspaceId: begun.workspace_id, provider: begun.provider });
  let job = begun;
  while (job.pages === 0 || job.cursor !== null) {
    const { date_from: dateFrom, date_to: dateTo, location_ids: locationIds, cursor } = job;
    const range = { dateFrom, dateTo, locationIds, cursor };
    const page = await imports.fetchPage(call, account, range);
    const isCircle = page.nextCursor === cursor || (job.barren_pages ?? 0) >= BARREN_PAGES_MAX;
    if (page.nextCursor !== null && isCircle)
      throw new FetchFailed('the same page is given again and again', true);
    job = await keepPage(deps, job, page);
    requireBounds(job);
    rest();
  }
  return stillOurs(job, await deps.importJobs.startProcessing(job));
}

/** Throws FetchFailed where there is more than one import takes, as early as that is known. */
function requireBounds({ fetch_done, fetch_total, pages, fetched_bytes = 0 }: LeasedImport): void {
  const exceeded = [
    { is: Math.max(fetch_done, fetch_total ?? 0), max: TRANSACTIONS_MAX, of: 'transactions' },
    { is: pages, max: PAGES_MAX, of: 'pages' },
    { is: fetched_bytes / 1024 ** 3, max: GIB_MAX, of: 'GiB' },
  ].find(({ is, max }) => is > max);
  if (!exceeded) return;
  const limit = `one import takes at most ${exceeded.max} ${exceeded.of}`;
  throw new FetchFailed(`${limit}: import a shorter range, or fewer locations at a time`, true);
}

async function keepPage(
  deps: IntegrationDeps,
  job: LeasedImport,
  { transactions, total, nextCursor }: Awaited<ReturnType<Imports['fetchPage']>>,
): Promise<LeasedImport> {
  const fetchedAt = deps.clock.now();
  const sizes = new Map(transactions.map(({ id, bytes }) => [id, bytes]));
  const records = transactions.map(({ id, body }) => ({
    _id: `${job._id}:${id}`,
    workspace_id: job.workspace_id,
    job_id: job._id,
    transaction_id: id,
    body,
    fetched_at: fetchedAt,
  }));
  return unitOfWork(deps.connection, async (session) => {
    const added = await deps.importRecords.insertMissing(records, job.fetch_done, session);
    const bytes = added.reduce((sum, id) => sum + sizes.get(id)!, 0);
    const page = { cursor: nextCursor, total, added: added.length, bytes };
    return stillOurs(job, await deps.importJobs.turnPage(job, page, session));
  });
}

async function processAll(
  deps: IntegrationDeps,
  begun: LeasedImport,
  work: Work,
): Promise<LeasedImport> {
  let job = begun;
  while (job.processed_count < job.fetch_done) {
    const progress = await recordNext(deps, job, work);
    job = stillOurs(job, await deps.importJobs.advance(job, progress));
    work.rest();
  }
  return job;
}

function stillOurs(job: LeasedImport, row: Omit<LeasedImport, 'lease'> | null): LeasedImport {
  if (!row) throw new LostImport();
  return { ...row, lease: job.lease };
}

/** A provider that is away is asked again a few times; what would fail again fails the import. */
async function settleFault(
  deps: IntegrationDeps,
  job: LeasedImport,
  error: unknown,
): Promise<void> {
  const now = deps.clock.now();
  const row = await deps.importJobs.get(job.workspace_id, job.provider, job._id);
  if (error instanceof Refusal && error.httpStatus === 503) {
    const until = new Date(now.getTime() + AWAY_MS);
    return deps.importJobs.postpone(job, until, row?.failures ?? 0);
  }
  const failures = (row?.failures ?? 0) + 1;
  const isKnown = error instanceof FetchFailed || error instanceof Unreadable;
  if (!isKnown) deps.logger.error({ err: error, job_id: job._id }, 'an import met a fault');
  const isFinal = (error instanceof FetchFailed && error.final) || failures >= IMPORT_FAILURES_MAX;
  if (!isFinal) {
    const until = new Date(now.getTime() + backoffMs(failures));
    return deps.importJobs.postpone(job, until, failures);
  }
  const message = isKnown ? error.message : 'the import could not be continued';
  const fault = { transaction_id: '', message };
  if (!(await deps.importJobs.finish(job, 'failed', { now, fault }))) return leave(deps, job);
  await deps.importRecords.removeJob(job._id);
  await deps.integrations.noteError(job.workspace_id, job.provider, message);
}
