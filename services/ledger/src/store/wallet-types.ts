import { createSharedLookups } from '@laurel/lifecycle';
import {
  asRead,
  type Connection,
  collection,
  isDuplicateKey,
  orStale,
  type Rows,
  type Session,
  StaleWrite,
} from '@laurel/mongo';
import { unitsOf } from '@laurel/values/amount';
import type { Rules } from '../domain/types';
import type { WalletRef } from './documents';

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
  /** Moves with every change; absent in rows of before it was counted. */
  revision?: number;
  /** When a wallet of it was last about to get its first entry; absent while none was. */
  used_at?: Date;
}

export const walletTypes = collection<WalletTypeDocument>('wallet_types', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'copied',
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

type TypeOfWallet = Pick<WalletRef, 'workspaceId' | 'walletTypeId'>;

export type WalletTypePatch = Partial<
  Omit<
    WalletTypeDocument,
    '_id' | 'workspace_id' | 'code' | 'date_created' | 'revision' | 'used_at'
  >
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

    /** False when the code is taken. Throws StaleWrite when the workspace has got a default in the same moment. */
    async insert(document: WalletTypeDocument, session: Session): Promise<boolean> {
      try {
        await rows.insertOne(document, { session });
        return true;
      } catch (error) {
        if (isDuplicateKey(error, 'code')) return false;
        if (isDuplicateKey(error, 'is_default')) throw new StaleWrite('the default wallet type');
        throw error;
      }
    },

    count: (workspaceId: string): Promise<number> => rows.of(workspaceId).count(),

    hasCode: (workspaceId: string, code: string): Promise<boolean> =>
      rows.of(workspaceId).has({ code }),

    clearDefault: async (workspaceId: string, at: Date, session: Session): Promise<void> => {
      const none = { is_default: false, date_updated: at };
      const change = { $set: none, $inc: { revision: 1 } };
      await rows.of(workspaceId).updateMany({ is_default: true }, change, { session });
    },

    /** Throws StaleWrite when the type is no longer the one that was read, or another became the default in the same moment. */
    async update(
      before: WalletTypeDocument,
      patch: WalletTypePatch,
      session: Session,
    ): Promise<WalletTypeDocument> {
      const change = { $set: patch, $inc: { revision: 1 } };
      const how = { returnDocument: 'after' as const, session };
      const own = rows.of(before.workspace_id);
      const written = own.findOneAndUpdate(asRead(before), change, how);
      const after = await orStale('the default wallet type', written);
      if (!after) throw new StaleWrite('the wallet type');
      return after;
    },

    ...createDeleting(rows),
  };
}

/** A wallet type goes only where no wallet of it is about to begin. */
function createDeleting(rows: Rows<WalletTypeDocument>) {
  return {
    /** Whether the type is still there, which deleting it sees (`delete`); its version stays. */
    async noteUse({ workspaceId, walletTypeId }: TypeOfWallet, at: Date): Promise<boolean> {
      const change = { $set: { used_at: at } };
      const { matchedCount } = await rows.of(workspaceId).updateOne({ _id: walletTypeId }, change);
      return matchedCount > 0;
    },

    /** Throws StaleWrite when the type is no longer the one that was read, or was put to use since. */
    async delete(before: WalletTypeDocument, session: Session): Promise<void> {
      const unused = before.used_at ?? { $exists: false };
      const filter = { ...asRead(before), is_default: false, used_at: unused };
      const { deletedCount } = await rows.of(before.workspace_id).deleteOne(filter, { session });
      if (deletedCount === 0) throw new StaleWrite('the wallet type');
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
