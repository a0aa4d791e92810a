import { unitsOf } from '@laurel/amount';
import { createSharedLookups } from '@laurel/lifecycle';
import { type Connection, collection, isDuplicateKey, type Session } from '@laurel/mongo';
import type { Rules } from '../domain/types';

export interface WalletTypeDocument {
  _id: string;
  workspace_id: string;
  code: string;
  name: string;
  is_default: boolean;
  active: boolean;
  unit_singular_name: string | null;
  unit_plural_name: string | null;
  pending_days: number | null;
  expiry_days: number | null;
  /** Units. */
  max_balance: number | null;
  allow_negative_balance: boolean;
  date_created: Date;
  date_updated: Date;
}

export const walletTypes = collection<WalletTypeDocument>('wallet_types', {
  tenant: 'workspace_id',
  person: 'nobody',
  growth: {
    per: 'wallet type',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1, code: 1 }, name: 'code', unique: true },
    {
      key: { workspace_id: 1, is_default: 1 },
      name: 'one_default',
      unique: true,
      partialFilterExpression: { is_default: true },
    },
  ],
});

export type WalletTypePatch = Partial<
  Omit<WalletTypeDocument, '_id' | 'workspace_id' | 'code' | 'date_created'>
>;

export type WalletTypeStore = ReturnType<typeof createWalletTypeStore>;

export function createWalletTypeStore(connection: Connection) {
  const rows = walletTypes.open(connection);
  const ofWorkspace = createSharedLookups<string, WalletTypeDocument[]>(async (workspaceIds) => {
    const found = await rows.ofEverybody
      .find({ workspace_id: { $in: [...workspaceIds] } })
      .toArray();
    const byWorkspace = new Map<string, WalletTypeDocument[]>();
    for (const type of found.sort(defaultFirst)) {
      const known = byWorkspace.get(type.workspace_id) ?? [];
      byWorkspace.set(type.workspace_id, [...known, type]);
    }
    return byWorkspace;
  });

  return {
    /** Every type of a workspace, the default first, then by name. */
    list: async (workspaceId: string): Promise<WalletTypeDocument[]> =>
      (await ofWorkspace(workspaceId)) ?? [],

    find: (workspaceId: string, id: string): Promise<WalletTypeDocument | null> =>
      rows.of(workspaceId).findOne({ _id: id }),

    hasDefault: (workspaceId: string, session: Session): Promise<boolean> =>
      rows.of(workspaceId).has({ is_default: true }, { session }),

    /** False when the code is taken. */
    async insert(document: WalletTypeDocument, session: Session): Promise<boolean> {
      try {
        await rows.insertOne(document, { session });
        return true;
      } catch (error) {
        if (isDuplicateKey(error, 'code')) return false;
        throw error;
      }
    },

    hasCode: (workspaceId: string, code: string): Promise<boolean> =>
      rows.of(workspaceId).has({ code }),

    clearDefault: async (workspaceId: string, at: Date, session: Session): Promise<void> => {
      const none = { is_default: false, date_updated: at };
      await rows.of(workspaceId).updateMany({ is_default: true }, { $set: none }, { session });
    },

    update: (
      workspaceId: string,
      id: string,
      patch: WalletTypePatch,
      session: Session,
    ): Promise<WalletTypeDocument | null> =>
      rows
        .of(workspaceId)
        .findOneAndUpdate({ _id: id }, { $set: patch }, { returnDocument: 'after', session }),

    async delete(workspaceId: string, id: string, session: Session): Promise<boolean> {
      const { deletedCount } = await rows
        .of(workspaceId)
        .deleteOne({ _id: id, is_default: false }, { session });
      return deletedCount === 1;
    },
  };
}

function defaultFirst(a: WalletTypeDocument, b: WalletTypeDocument): number {
  return (
    Number(b.is_default) - Number(a.is_default) ||
    a.name.localeCompare(b.name) ||
    (a._id < b._id ? -1 : 1)
  );
}

export function rulesOf(type: WalletTypeDocument): Rules {
  return {
    pendingDays: type.pending_days,
    expiryDays: type.expiry_days,
    maxBalance: type.max_balance === null ? null : unitsOf(type.max_balance),
    allowNegative: type.allow_negative_balance,
  };
}
