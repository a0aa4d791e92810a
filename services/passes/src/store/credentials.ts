import { type Connection, collection, isDuplicateKey } from '@laurel/mongo';
import { type Sealed, sealedRows, type Vault } from '@laurel/secrets';

/** Stands in place of a workspace for what belongs to the deployment. */
const LOCAL = 'local';

export type Wallet = 'apple' | 'google';

export interface CredentialsDocument {
  _id: string;
  workspace_id: string;
  sealed: Sealed;
  date_updated: Date;
}

export const credentials = collection<CredentialsDocument>('wallet_credentials', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: certificates and keys are given to one workspace',
  growth: {
    per: 'workspace and wallet',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [],
});

/** Credentials in the clear, and what they are for. */
interface Given {
  wallet: Wallet;
  given: object;
}

export type CredentialsStore = ReturnType<typeof createCredentialsStore>;

/** Certificates and keys, encrypted: those of workspaces, and those made here that all replicas share. */
export function createCredentialsStore(connection: Connection, vault: Vault) {
  const rows = credentials.open(connection);
  const idOf = (owner: string, wallet: Wallet): string => `${owner}:${wallet}`;

  async function find<T>(owner: string, wallet: Wallet): Promise<T | null> {
    const id = idOf(owner, wallet);
    const row = await rows.of(owner).findOne({ _id: id });
    return row && (JSON.parse(vault.open(row.sealed, id).toString()) as T);
  }

  function toDocument(owner: string, { wallet, given }: Given, now: Date) {
    const id = idOf(owner, wallet);
    const sealed = vault.seal(Buffer.from(JSON.stringify(given)), id);
    return { _id: id, workspace_id: owner, sealed, date_updated: now };
  }

  return {
    find,

    async put(workspaceId: string, given: Given, now: Date): Promise<void> {
      const { _id, ...columns } = toDocument(workspaceId, given, now);
      await rows.of(workspaceId).replaceOne({ _id }, columns, { upsert: true });
    },

    async remove(workspaceId: string, wallet: Wallet): Promise<boolean> {
      const own = rows.of(workspaceId);
      return (await own.deleteOne({ _id: idOf(workspaceId, wallet) })).deletedCount === 1;
    },

    /** What was made here; made now by the first that asks, and the same for everybody from then on. */
    async local<T extends object>(wallet: Wallet, make: () => Promise<T>, now: Date): Promise<T> {
      const known = await find<T>(LOCAL, wallet);
      if (known) return known;
      const made = await make();
      try {
        await rows.insertOne(toDocument(LOCAL, { wallet, given: made }, now));
        return made;
      } catch (error) {
        if (isDuplicateKey(error)) return (await find<T>(LOCAL, wallet))!;
        throw error;
      }
    },

    sealed: sealedRows<CredentialsDocument>(rows.ofEverybody, {
      at: 'sealed',
      valuesOf: ({ _id, sealed }) => [{ path: 'sealed', sealed, boundTo: _id }],
    }),
  };
}
