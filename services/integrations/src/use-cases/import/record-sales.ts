import { cut } from '@laurel/errors';
import { isOutage } from '@laurel/events';
import { stableId } from '@laurel/lifecycle';
import type { IntegrationDeps } from '../../deps';
import { IMPORT_FAILURES_MAX } from '../../domain/backoff';
import { Unreadable } from '../../domain/read-event';
import { type Account, FetchFailed, type Imports } from '../../outside/providers/provider';
import {
  ERROR_LOG_MAX,
  type ImportFault,
  type ImportProgress,
  type LeasedImport,
} from '../../store/import-jobs';
import type { ImportRecordRow } from '../../store/import-records';
import { findEventClient } from '../inbox/find-event-client';
import {
  type Attributed,
  type FoundClient,
  NobodyFound,
  type Recorded,
  recordReadEvents,
  requireEvent,
} from '../inbox/record-read-events';

const BATCH = 100;
/** A complaint may quote what it is about. */
const FAULT_LENGTH_MAX = 300;
/** So many sales are not each at fault themselves, where none of them can be recorded. */
const WITNESSES = 10;
/** No more is read on for them: a cancelled import is to stop, and others get their turn. */
const STRETCH_MAX = 50 * BATCH;

/** How what was fetched is read. */
interface Reader {
  account: Pick<Account, 'config'>;
  imports: Pick<Imports, 'read'>;
}

/** What was read on of an import. */
interface Stretch {
  count: number;
  attributed: Attributed[];
  faults: ImportFault[];
  /** Event -> the transaction that it was read from. */
  transactions: Map<string, string>;
}

/** Records the next transactions of an import. Throws FetchFailed where they are gone, and what recording meets. */
export async function recordNext(
  deps: IntegrationDeps,
  job: LeasedImport,
  reader: Reader,
): Promise<ImportProgress> {
  const { count, attributed, faults, transactions } = await readOn(deps, job, reader);
  const recorded = attributed.length === 0 ? [] : await recordAll(deps, job, attributed);
  const failedInRow = writeOff(deps, job, recorded);
  const refused = recorded
    .flatMap(faultsIn)
    .map(({ id, message }) => ({ transaction_id: transactions.get(id)!, message }));
  const imported = recorded.reduce((sum, { stored }) => sum + stored.size, 0);
  return {
    processed: count,
    imported,
    faults: [...faults, ...refused]
      .slice(0, ERROR_LOG_MAX)
      .map((fault) => ({ ...fault, message: cut(fault.message, FAULT_LENGTH_MAX) })),
    ...(failedInRow === undefined ? {} : { failedInRow }),
  };
}

/**
 * Reads the next batch. In the try that decides whether a sale is passed over further ones as well, until there are others to
 * tell by: in a shop where few customers show a card, a sale may be alone in its batch.
 */
async function readOn(deps: IntegrationDeps, job: LeasedImport, reader: Reader): Promise<Stretch> {
  const stretch: Stretch = { count: 0, attributed: [], faults: [], transactions: new Map() };
  const wanted = isLastTry(job) ? WITNESSES : 0;
  do {
    const position = job.processed_count + stretch.count;
    const records = await deps.importRecords.from(job._id, position, BATCH);
    if (records.length === 0)
      throw new FetchFailed('what was fetched is gone: the import has to be started again', true);
    await attribute(deps, { job, reader, records }, stretch);
    stretch.count += records.length;
  } while (
    stretch.attributed.length < wanted &&
    stretch.count < STRETCH_MAX &&
    job.processed_count + stretch.count < job.fetch_done
  );
  return stretch;
}

const isLastTry = ({ failures }: LeasedImport): boolean => failures + 1 >= IMPORT_FAILURES_MAX;

/** Finds whom transactions are about. */
async function attribute(
  deps: IntegrationDeps,
  {
    job: { workspace_id: workspaceId, provider },
    reader,
    records,
  }: { job: LeasedImport; reader: Reader; records: readonly ImportRecordRow[] },
  { attributed, faults, transactions }: Stretch,
): Promise<void> {
  const known = new Map<string, Promise<FoundClient>>();
  for (const record of records) {
    try {
      const event = reader.imports.read(record.body, reader.account.config);
      if (!event) continue;
      requireEvent(event, workspaceId, deps.clock.now());
      const key = JSON.stringify(event.client);
      const finding =
        known.get(key) ?? findEventClient(deps, { workspaceId, provider }, event.client);
      known.set(key, finding);
      const id = stableId(`import ${record._id}`);
      attributed.push({ id, event, client: await finding, receivedAt: record.fetched_at });
      transactions.set(id, record.transaction_id);
    } catch (error) {
      if (!(error instanceof Unreadable || error instanceof NobodyFound)) throw error;
      faults.push({ transaction_id: record.transaction_id, message: error.message });
    }
  }
}

/** What became of some sales that were recorded together, or of one that could not be; `failure` where that was no refusal. */
type SomeRecorded = Recorded & { refused?: Fault; failure?: unknown };
type Fault = { id: string; message: string };

/** Records sales: what is refused of them as a whole, in halves, so that one sale stops no other. */
async function recordAll(
  deps: IntegrationDeps,
  job: LeasedImport,
  attributed: readonly Attributed[],
): Promise<SomeRecorded[]> {
  const { workspace_id: workspaceId, provider } = job;
  try {
    return [await recordReadEvents(deps, { workspaceId, source: provider }, attributed)];
  } catch (error) {
    if (isOutage(error)) throw error;
    const [first] = attributed as readonly [Attributed];
    if (attributed.length === 1) return [refusedAlone(job, { id: first.id, error })];
    const half = Math.ceil(attributed.length / 2);
    return [
      ...(await recordAll(deps, job, attributed.slice(0, half))),
      ...(await recordAll(deps, job, attributed.slice(half))),
    ];
  }
}

/** What is no refusal of the sale may end by itself: the import is tried as often as by a till that is away, first. */
function refusedAlone(
  job: LeasedImport,
  { id, error }: { id: string; error: unknown },
): SomeRecorded {
  const nothing = { stored: new Set<string>(), refundLinks: new Map() };
  if (error instanceof Unreadable) return { ...nothing, refused: { id, message: error.message } };
  if (!isLastTry(job)) throw error;
  const refused = { id, message: 'the sale could not be recorded' };
  return { ...nothing, refused, failure: error };
}

/**
 * Passes over the sales that failed by themselves, if others were answered: where none was, what records them is at fault, and
 * all that follow would be passed over as well. Then the import fails, and can be started again. Where too few follow to tell
 * by, what was answered before tells, which may have been there already.
 *
 * @returns how many failed since one was answered; undefined where none was yet
 */
function writeOff(
  { logger }: IntegrationDeps,
  job: LeasedImport,
  recorded: readonly SomeRecorded[],
): number | undefined {
  const failures = recorded
    .map(({ failure }) => failure)
    .filter((failure) => failure !== undefined);
  const before = job.failed_in_row ?? (job.imported_count > 0 ? 0 : undefined);
  const unanswered = before === undefined ? undefined : before + failures.length;
  const inRow = recorded.length > failures.length ? 0 : unanswered;
  if (failures.length > 0 && (inRow ?? WITNESSES) >= WITNESSES) throw failures[0];
  for (const err of failures)
    logger.error({ err, job_id: job._id }, 'a sale could not be recorded');
  return inRow;
}

function faultsIn({ refundLinks, refused }: SomeRecorded): Fault[] {
  const unlinked = [...refundLinks].flatMap(([id, state]): Fault[] =>
    state === 'linked' ? [] : [{ id, message: UNLINKED[state] }],
  );
  return refused ? [...unlinked, refused] : unlinked;
}

/** Imported all the same, but no points go back for it (part 4, section 5). */
const UNLINKED = {
  not_found: 'the refund fits no sale of the client (refund_link not_found)',
  exceeds: 'the refund is of more than is left of its sales (refund_link exceeds)',
} as const;
