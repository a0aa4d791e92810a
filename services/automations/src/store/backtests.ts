import type { BacktestStatus } from '@laurel/contract';
import { type Connection, collection, type Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import type { Tally } from '../domain/backtest';
import type { Rule } from '../domain/rule';

const DUE = { column: 'leased_until' };
const KEPT_SECONDS = 30 * 86_400;

export interface Backtest {
  id: string;
  workspaceId: string;
  rule: Rule;
  from: Date;
  to: Date;
  status: BacktestStatus;
  /** 0 to 1. */
  progress: number;
  tally: Tally;
  error: string | null;
  attempts: number;
}

/** A backtest in the hands of one worker. */
export type ClaimedBacktest = Backtest & { lease: string; createdAt: Date };

interface BacktestDocument {
  _id: string;
  workspace_id: string;
  rule: Rule;
  from: Date;
  to: Date;
  status: BacktestStatus;
  progress: number;
  tally: Tally;
  error: string | null;
  attempts: number;
  created_at: Date;
  lease: string | null;
  /** Absent once it has ended. */
  leased_until?: Date;
}

export const backtests = collection<BacktestDocument>('backtests', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: it is about what happened in the source',
  growth: {
    per: 'backtest',
    end: '30 days',
    shardKey: 'whole',
  },
  indexes: [
    dueIndex(DUE),
    { key: { created_at: 1 }, name: 'created_ttl', expireAfterSeconds: KEPT_SECONDS },
    { key: { workspace_id: 1 }, name: 'of_workspace' },
  ],
});

const FREE = new Date(0);

/** Jobs that replay stored events against a rule; kept a month after they were asked for. */
export function createBacktestStore(connection: Connection) {
  const rows = backtests.open(connection);
  const held = ({ id, lease }: ClaimedBacktest) => ({
    _id: id,
    lease,
  });
  const due = createDue<BacktestDocument, ClaimedBacktest>(connection, backtests.collection, {
    ...DUE,
    onClaim: { $set: { status: 'running' }, $inc: { attempts: 1 } },
    read: (document) => ({
      ...toBacktest(document),
      lease: document.lease,
      createdAt: document.created_at,
    }),
  });

  return {
    /** Backtests that may be worked on. */
    due,

    async insert(backtest: Backtest, now: Date, session: Session): Promise<void> {
      const { id, workspaceId, ...columns } = backtest;
      due.wake(session);
      await rows.insertOne(
        {
          _id: id,
          workspace_id: workspaceId,
          ...columns,
          created_at: now,
          lease: null,
          leased_until: FREE,
        },
        { session },
      );
    },

    async find(workspaceId: string, id: string): Promise<Backtest | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id });
      return document && toBacktest(document);
    },

    /** False when another process has taken the job over. */
    async advance(
      backtest: ClaimedBacktest,
      done: { progress: number; tally: Tally },
    ): Promise<boolean> {
      const { matchedCount } = await rows
        .of(backtest.workspaceId)
        .updateOne(held(backtest), { $set: done });
      return matchedCount === 1;
    },

    /** Gives it back to be begun again, which costs no try. */
    async giveBack(backtest: ClaimedBacktest, at: Date): Promise<void> {
      await due.postpone(backtest, at, { $inc: { attempts: -1 } });
    },

    async end(
      backtest: ClaimedBacktest,
      outcome: Partial<Pick<Backtest, 'tally'>> & { status: BacktestStatus; error: string | null },
    ): Promise<void> {
      await due.finish(backtest, { $set: { ...outcome, progress: 1 } });
    },
  };
}

function toBacktest(document: BacktestDocument): Backtest {
  const { _id, workspace_id, rule, from, to, status, progress, tally, error, attempts } = document;
  return {
    id: _id,
    workspaceId: workspace_id,
    rule,
    from,
    to,
    status,
    progress,
    tally,
    error,
    attempts,
  };
}
