import { cut } from '@laurel/errors';
import { isOutage } from '@laurel/events';
import { retryingCollisions, type Session, unitOfWork } from '@laurel/mongo';
import { PIECE_LEASE_MS, type PieceJob } from '@laurel/work';
import type { Deps } from '../deps';
import type { FieldDefinition } from '../domain/data-model';
import type { Mapping } from '../domain/import-mapping';
import { parseRow } from '../domain/import-row';
import {
  type ClaimedImport,
  IMPORT_ERRORS_MAX,
  type ImportError,
  type ImportJob,
} from '../store/imports';
import {
  BrokenRow,
  complaintAboutHeader,
  examine,
  type FileRow,
  NAMELESS,
  readRecords,
  UnreadableFile,
  valuesOf,
} from './import-file';
import { type ImportBatch, type ImportOutcome, type ImportRow, importRows } from './import-rows';

const BATCH_ROWS = 500;
/** In a row, each a lease after the other; what is away says nothing about the file. */
const FAULTS_MAX = 12;
const MESSAGE_MAX = 1_000;
/** After that long the imports of others get their turn. */
const SLICE_MS = 5_000;

type ImportDeps = Pick<
  Deps,
  | 'activity'
  | 'addressProofs'
  | 'connection'
  | 'clients'
  | 'events'
  | 'fields'
  | 'imports'
  | 'logger'
  | 'outbox'
  | 'passes'
  | 'profiles'
  | 'clock'
>;

/** Somebody else works on the job: what this process holds of it is out of date. */
class LostLease extends Error {}

/**
 * Works on queued imports, a while each: workspaces take turns, so that a huge file keeps no other waiting. Each
 * batch of rows and the note how far the file is taken over are one transaction, so a crash costs at most the time of a
 * batch, and no row is taken twice.
 */
export const importWorker = (deps: ImportDeps): PieceJob<ClaimedImport> => ({
  name: 'imports',
  due: deps.imports.due,
  concurrency: 2,
  share: 1,
  leaseMs: PIECE_LEASE_MS,
  clock: deps.clock,
  work: (job) => runImport(deps, job),
});

/** Works on an import to its end, or until others have their turn. */
export async function runImport(deps: ImportDeps, job: ClaimedImport): Promise<void> {
  try {
    const end = await takeRows(deps, job.started_at ? job : await begin(deps, job));
    if (end === 'turn of others')
      await deps.imports.due.postpone({ id: job._id, lease: job.lease }, deps.clock.now());
    else if (end === 'done')
      await deps.imports.finish(job, { status: 'completed', at: deps.clock.now() });
    else await deps.imports.finish(job, { status: 'failed', at: deps.clock.now(), error: end });
  } catch (error) {
    if (error instanceof LostLease) return;
    if (error instanceof UnreadableFile) {
      const whole = { row: 0, message: shortened(error.message) };
      await deps.imports.finish(job, { status: 'failed', at: deps.clock.now(), error: whole });
      return;
    }
    // Who cancels an import takes its file away from under its reader.
    if (!(await deps.imports.isRunning(job))) return;
    if (!isOutage(error) && (await deps.imports.noteFault(job)) >= FAULTS_MAX)
      await giveUp(deps, job);
    throw error;
  }
}

/** What is in the next rows cannot be taken, whatever it is: an import that never ends says nothing to anybody. */
async function giveUp({ imports, clock }: ImportDeps, job: ClaimedImport): Promise<void> {
  const { processed = 0 } = (await imports.find(job.workspace_id, job._id)) ?? {};
  const message = `the import could not be continued behind row ${processed}`;
  await imports.finish(job, { status: 'failed', at: clock.now(), error: { row: 0, message } });
}

/** What is wrong with a row may name all that is in it, and a log of a thousand has to fit into the row of its import. */
const shortened = (message: string): string => cut(message, MESSAGE_MAX);

const leasedUntil = (now: Date): Date => new Date(now.getTime() + PIECE_LEASE_MS);

/** Looks how the file is written, reads the header of a CSV and counts the rows. */
async function begin(deps: ImportDeps, job: ClaimedImport): Promise<ClaimedImport> {
  const mapping = job.mapping ?? [];
  const file = await examine(deps.imports, job, mapping);
  let header: string[] | null = null;
  let nextByte = 0;
  let total = 0;
  try {
    for await (const record of readRecords(deps.imports, job, { file, fromByte: 0 })) {
      if (job.format === 'csv' && header === null) {
        if (!('cells' in record)) break;
        header = record.cells;
        nextByte = record.endsAt ?? 0;
      } else {
        total += 1;
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenRow) || header === null) throw error;
    // Its rows are taken up to that one, which then ends the import.
    total += 1;
  }
  if (job.format === 'csv') requireHeader(header, mapping);
  const begun = { total, file, header, next_byte: nextByte, started_at: deps.clock.now() };
  if (!(await deps.imports.begin(job, begun))) throw new LostLease();
  return { ...job, ...begun };
}

function requireHeader(header: readonly string[] | null, mapping: Mapping): void {
  const complaint = header ? complaintAboutHeader(header, mapping) : NAMELESS;
  if (complaint !== null) throw new UnreadableFile(complaint);
}

/** Takes rows until the file ends, others have their turn, or a row ends the import. */
async function takeRows(
  deps: ImportDeps,
  job: ImportJob,
): Promise<'done' | 'turn of others' | ImportError> {
  const endsAt = deps.clock.now().getTime() + SLICE_MS;
  const definitions = await deps.fields.list(job.workspace_id);
  const progress = { ...job };
  let batch: FileRow[] = [];
  let broken: BrokenRow | null = null;
  try {
    const place = { file: job.file!, fromByte: job.next_byte };
    for await (const record of readRecords(deps.imports, job, place)) {
      batch.push(record);
      // Reading can go on only behind a row whose end is known.
      if (batch.length < BATCH_ROWS || record.endsAt === null) continue;
      await takeBatch(deps, progress, { batch, definitions });
      batch = [];
      if (deps.clock.now().getTime() >= endsAt) return 'turn of others';
    }
  } catch (error) {
    if (!(error instanceof BrokenRow)) throw error;
    broken = error;
  }
  if (batch.length > 0) await takeBatch(deps, progress, { batch, definitions });
  return broken ? { row: progress.processed + 1, message: broken.message } : 'done';
}

interface Batch {
  batch: readonly FileRow[];
  definitions: readonly FieldDefinition[];
}

/** Takes rows in the transaction of the caller. */
type Take = (batch: ImportBatch, unit: { now: Date; session: Session }) => Promise<ImportOutcome>;

/** Takes a batch over and moves `progress` on: what the store refuses of it as a whole, in parts, so that one row stops no other. */
async function takeBatch(deps: ImportDeps, progress: ImportJob, batch: Batch): Promise<void> {
  const faults: unknown[] = [];
  try {
    await commitBatch(deps, progress, {
      ...batch,
      take: (rows, unit) =>
        importRows(deps, rows, unit).catch((error: unknown) => {
          faults.push(error);
          throw error;
        }),
    });
  } catch (error) {
    if (!faults.includes(error) || isOutage(error)) throw error;
    const parts = inParts(batch.batch);
    for (const part of parts) await takeBatch(deps, progress, { ...batch, batch: part });
    if (parts.length > 0) return;
    deps.logger.error({ err: error, import_id: progress._id }, 'a row of an import was not kept');
    await commitBatch(deps, progress, { ...batch, take: refuseAll });
  }
}

/** Two parts of a batch, the first up to a row whose end is known: none where there is no such row but the last. */
function inParts(batch: readonly FileRow[]): (readonly FileRow[])[] {
  const ends = [...batch.keys()].slice(1).filter((at) => batch[at - 1]!.endsAt !== null);
  const middle = ends[Math.floor(ends.length / 2)];
  return middle === undefined ? [] : [batch.slice(0, middle), batch.slice(middle)];
}

const refuseAll: Take = async ({ rows }) => ({
  created: 0,
  updated: 0,
  errors: rows.map(({ row }) => ({ row, message: 'the row could not be kept' })),
});

async function commitBatch(
  deps: ImportDeps,
  progress: ImportJob,
  { batch, definitions, take }: Batch & { take: Take },
): Promise<void> {
  const { rows, errors: unreadable } = readRows(progress, batch, definitions);
  const nextByte = batch.findLast(({ endsAt }) => endsAt !== null)?.endsAt ?? progress.next_byte;
  const outcome = await retryingCollisions(() =>
    unitOfWork(deps.connection, async (session) => {
      const now = deps.clock.now();
      const { workspace_id: workspaceId, mode, loyalty_program_enabled = false } = progress;
      const taken = { workspaceId, mode, rows, unsaid: { loyalty_program_enabled } };
      const imported = await take(taken, { now, session });
      const errors = [...unreadable, ...imported.errors]
        .map(({ row, message }) => ({ row, message: shortened(message) }))
        .sort((a, b) => a.row - b.row);
      const room = Math.max(IMPORT_ERRORS_MAX - progress.failed, 0);
      const advanced = await deps.imports.advance(
        progress,
        {
          next_byte: nextByte,
          processed: batch.length,
          created: imported.created,
          updated: imported.updated,
          failed: errors.length,
          errors: errors.slice(0, room),
        },
        { leaseUntil: leasedUntil(now), session },
      );
      if (!advanced) throw new LostLease();
      return { failed: errors.length };
    }),
  );
  progress.next_byte = nextByte;
  progress.processed += batch.length;
  progress.failed += outcome.failed;
}

function readRows(
  job: ImportJob,
  batch: readonly FileRow[],
  definitions: readonly FieldDefinition[],
): { rows: ImportRow[]; errors: ImportError[] } {
  const rows: ImportRow[] = [];
  const errors: ImportError[] = [];
  batch.forEach((record, position) => {
    const row = job.processed + position + 1;
    const values = valuesOf(record, job.header ?? [], job.mapping ?? []);
    const parsed =
      typeof values === 'string' ? { message: values } : parseRow(values, definitions, job.format);
    if ('message' in parsed) errors.push({ row, message: parsed.message });
    else rows.push({ row, fields: parsed.fields });
  });
  return { rows, errors };
}
