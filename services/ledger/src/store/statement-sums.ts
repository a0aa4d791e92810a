import { type Movements, TOLD_SOURCES } from '../domain/statement';
import type { EntryType } from '../domain/types';
import type { EntryStore } from './entries';

export interface StatementScope {
  workspaceId: string;
  walletTypeId: string;
  /** Absent: from the first entry on. */
  from: Date | undefined;
  to: Date;
}

interface MovementRow {
  _id: { type: EntryType; source: string; is_credit: boolean; is_before: boolean };
  active: number;
  pending: number;
  locked: number;
}

/** All that moved up to the end of a time, in one reading, so that its parts fit together. */
export async function sumMovements(
  { entries: { collection } }: { entries: Pick<EntryStore, 'collection'> },
  scope: StatementScope,
): Promise<Movements[]> {
  const { active, pending, locked } = changes;
  const rows = await collection
    .aggregate<MovementRow>([
      { $match: upTo(scope) },
      {
        $group: {
          _id: {
            type: '$type',
            source: { $cond: [{ $in: ['$source_type', [...TOLD_SOURCES]] }, '$source_type', ''] },
            is_credit: { $gte: [{ $add: [active, pending, locked] }, 0] },
            is_before: scope.from ? { $lt: ['$created_at', scope.from] } : { $literal: false },
          },
          active: { $sum: active },
          pending: { $sum: pending },
          locked: { $sum: locked },
        },
      },
    ])
    .toArray();
  return rows.map(({ _id: { type, source, is_credit, is_before }, ...sums }) => ({
    type,
    source,
    isCredit: is_credit,
    isBefore: is_before,
    ...sums,
  }));
}

const changes = { active: '$change.active', pending: '$change.pending', locked: '$change.locked' };

/** How many wallets there were at the end of a time, and what those below zero owed together, in stored units. */
export async function sumDebts(
  { entries: { collection } }: { entries: Pick<EntryStore, 'collection'> },
  scope: StatementScope,
): Promise<{ wallets: number; debts: number }> {
  const [row] = await collection
    .aggregate<{ wallets: number; debts: number }>([
      { $match: upTo(scope) },
      { $group: { _id: '$wallet_id', active: { $sum: changes.active } } },
      {
        $group: {
          _id: null,
          wallets: { $sum: 1 },
          debts: { $sum: { $max: [0, { $subtract: [0, '$active'] }] } },
        },
      },
    ])
    .toArray();
  return row ?? { wallets: 0, debts: 0 };
}

function upTo({ workspaceId, walletTypeId, to }: StatementScope) {
  return {
    workspace_id: workspaceId,
    wallet_type_id: walletTypeId,
    created_at: { $lte: to },
  };
}
