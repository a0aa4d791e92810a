import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '@laurel/errors';
import { type Context, currentContext, runInBackground } from '@laurel/lifecycle';
import { isDuplicateKey, unitOfWork } from '@laurel/mongo';
import type { Draft, Moment, Wallet } from '../domain/types';
import { refusals } from '../refusals';
import type { Outcome } from './command';
import type { EntryDocument, WalletRef } from './documents';
import type { Head } from './head';
import { isLate } from './late';
import type { FlightParts, LogParts } from './log-parts';
import { Planner, withinRange } from './planner';
import { findRepeat } from './repeats';

export interface PairCommand {
  commands: readonly [PairSide, PairSide];
  /**
   * Decides both entries at once, or several such pairs, of which the last is the answer and the moments are the first's;
   * throws refusals; null when there is nothing to do.
   */
  decide: (
    wallets: readonly [Wallet, Wallet],
    moments: Moments,
  ) => readonly (readonly [Draft, Draft])[] | null;
}
type Moments = readonly [Moment, Moment];
export interface PairSide {
  wallet: WalletRef;
  operationId: string;
  claim?: string | undefined;
}
export interface PairOutcome {
  entries: readonly [EntryDocument, EntryDocument] | null;
  replayed: 'operation' | 'claim' | null;
}
export interface PairTask extends PairCommand {
  context: Context;
  resolve: (outcome: PairOutcome) => void;
  reject: (error: unknown) => void;
}

const ATTEMPTS_MAX = 30;
const PAUSE_MS_MAX = 40;

/**
 * Takes a pair from waiting to answered; never throws. Both entries are inserted in one transaction, each
 * at its place in its wallet's log, so that a conflict on either side undoes both.
 */
export function flyPair(parts: FlightParts, task: PairTask): Promise<void> {
  const { deadlineAt } = task.context;
  const fly = async (): Promise<void> => {
    try {
      task.resolve(await commitPair(parts, task));
    } catch (error) {
      if (!(error instanceof Refusal)) parts.logger.error({ err: error }, 'a transfer failed');
      task.reject(error);
    }
  };
  // It is one caller's alone, and ends with their time.
  return runInBackground('ledger.pair', fly, deadlineAt === undefined ? {} : { deadlineAt });
}

async function commitPair(parts: FlightParts, task: PairTask): Promise<PairOutcome> {
  let failure: unknown;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (attempt > 0) {
      const repeat = await findPair(parts, task);
      if (repeat) return repeat;
      await pause(Math.random() * Math.min(2 ** attempt, PAUSE_MS_MAX));
    }
    if (isLate(task.context, parts.now())) throw refusals.busy();
    const heads = await headsOf(parts, task, attempt > 0);
    const planners = heads.map((head) => new Planner(head)) as [Planner, Planner];
    try {
      const planned = withinRange(() => planPair(parts, task, planners));
      if (planned === null) return { entries: null, replayed: null };
      const admitted = await Promise.all(planners.map(parts.typeUses.admits));
      if (admitted.includes(false)) throw refusals.unknownWalletType();
      await write(parts, planners);
      parts.committed(planners.flatMap(({ documents }) => documents));
      await follow(parts, planners);
      if (planned !== 'unsettled') return { entries: planned, replayed: null };
    } catch (error) {
      if (error instanceof Refusal) {
        // The first try of the same operation may have been committed since it was looked for.
        if (attempt > 0) return await unlessRepeat(parts, task, error);
      } else if (!isDuplicateKey(error)) {
        // The outcome may be unknown; the next attempt finds the pair if it was committed.
        parts.logger.warn({ err: error }, 'a transfer is tried again');
        parts.unheard();
        failure = error;
        if (attempt >= ATTEMPTS_MAX / 10) throw error;
      }
      const { forget, overtaken } = parts.heads;
      for (const { ref } of heads) (isDuplicateKey(error) ? overtaken : forget)(ref.id);
    }
  }
  throw failure ?? refusals.busy();
}

async function headsOf(
  { heads }: Pick<LogParts, 'heads'>,
  { commands }: PairCommand,
  prove: boolean,
): Promise<[Head, Head]> {
  const refs = commands.map(({ wallet }) => wallet);
  const found = prove ? await heads.proven(refs) : await heads.likely(refs);
  return [found.get(refs[0]!.id)!, found.get(refs[1]!.id)!];
}

/**
 * Refuses as the pair would be refused at this moment, decided as `flyPair` decides it: on wallets where their logs end,
 * once all that is due has been settled. Throws AmountRangeError where a sum would not be exact. Writes nothing.
 */
export async function foretellPair(
  parts: Pick<LogParts, 'heads' | 'now'>,
  pair: PairCommand,
): Promise<void> {
  const heads = await headsOf(parts, pair, true);
  const planners = heads.map((head) => new Planner(head)) as [Planner, Planner];
  const planned = planPair(parts, { ...pair, context: currentContext() }, planners);
  if (planned === 'unsettled') throw refusals.busy();
}

/** Where more is due than is settled at once: that alone, and nothing of the pair yet. */
function planPair(
  { now }: Pick<LogParts, 'now'>,
  { commands, decide, context }: PairCommand & Pick<PairTask, 'context'>,
  planners: readonly [Planner, Planner],
): readonly [EntryDocument, EntryDocument] | 'unsettled' | null {
  // One time for both sides, so that what moves over is never older than what it comes from.
  const at = Math.max(
    now(commands[0].wallet.workspaceId),
    ...planners.map(({ head }) => head.wallet.lastAt),
  );
  if (planners.map((planner) => planner.settle(at)).includes(false)) return 'unsettled';
  const momentsNow = (): Moments => [planners[0].moment(at), planners[1].moment(at)];
  const first = momentsNow();
  const pairs = decide([planners[0].head.wallet, planners[1].head.wallet], first);
  if (!pairs) return null;
  const planned = pairs.map((drafts, index) => {
    const moments = index === 0 ? first : momentsNow();
    const isLast = index === pairs.length - 1;
    const add = (own: 0 | 1, other: 0 | 1): EntryDocument => {
      const { operationId, claim } = commands[own];
      const counterpart = {
        client_id: commands[other].wallet.clientId,
        wallet_id: commands[other].wallet.id,
        entry_id: moments[other].entryId,
      };
      // The last pair answers for the operation: where it is, the others are.
      const name = isLast ? { operationId, claim } : { operationId: `${operationId}:${index}` };
      return planners[own].add(drafts[own], moments[own], { ...name, context, counterpart });
    };
    return [add(0, 1), add(1, 0)] as const;
  });
  return planned.at(-1)!;
}

async function write(
  { connection, entries }: LogParts,
  planners: readonly [Planner, Planner],
): Promise<void> {
  const documents = [...planners[0].documents, ...planners[1].documents];
  await unitOfWork(connection, async (session) => {
    await entries.collection.insertMany(documents, { session, ordered: true });
  });
}

async function follow(parts: LogParts, planners: readonly [Planner, Planner]): Promise<void> {
  for (const { head } of planners) {
    parts.heads.remember(head);
    parts.snapshots.follow(head);
  }
  await parts.entries.applyMarks(planners.flatMap(({ documents }) => documents));
}

/** The pair as committed before, by its operations or by the claim of its first side. */
async function findPair(
  parts: LogParts,
  { commands, context }: PairTask,
): Promise<PairOutcome | null> {
  const [first] = commands;
  const { workspaceId } = first.wallet;
  const out = await findRepeat(parts.entries, { ...first, workspaceId, context });
  return out?.entry.counterpart ? pairOf(parts.entries, out) : null;
}

/** Says no, unless the pair turns out to be a repeat of one that was said yes to. */
async function unlessRepeat(
  parts: LogParts,
  task: PairTask,
  refusal: Refusal,
): Promise<PairOutcome> {
  const repeat = await findPair(parts, task);
  if (repeat) return repeat;
  throw refusal;
}

/** An entry of a pair with the other one. */
export async function pairOf(
  entries: Pick<LogParts['entries'], 'find'>,
  { entry, replayed }: Outcome,
): Promise<PairOutcome> {
  const { workspace_id: workspaceId, counterpart } = entry;
  const other = counterpart && (await entries.find(workspaceId, counterpart.entry_id));
  if (!other) throw new Error(`entry ${entry._id} has no counterpart`);
  return { entries: [entry, other], replayed };
}
