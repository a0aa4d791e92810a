import { type Connection, collection, isDuplicateKey } from '@laurel/mongo';
import { type Sealed, sealedRows, type Vault } from '@laurel/secrets';

const COLLECTION = 'link_keys';
/** The one row: the keys belong to the installation. */
const ROW = 'installation';

export interface KeysDocument {
  _id: string;
  sealed: Sealed;
}

export const linkKeys = collection<KeysDocument>(COLLECTION, {
  tenant: 'none: they belong to the installation',
  person: 'nobody',
  growth: {
    per: 'installation',
    end: 'stays: what is out there is signed by them',
    shardKey: 'whole',
  },
  indexes: [],
});

/** Keys that sign what is handed out for passes. The first signs, all are accepted. */
export interface LinkKeys {
  /** Of the links of passes. */
  links: readonly Buffer[];
  /** Of the tokens in Apple passes. */
  tokens: readonly Buffer[];
}

export type LinkKeyStore = ReturnType<typeof createLinkKeyStore>;

/** Keeps the keys of the installation, sealed, so that they outlive the key that seals them. */
export function createLinkKeyStore(connection: Connection, vault: Vault) {
  const rows = linkKeys.open(connection).ofEverybody;
  const seal = (keys: LinkKeys): Sealed => vault.seal(Buffer.from(textOf(keys)), COLLECTION);

  return {
    async read(): Promise<{ keys: LinkKeys; sealed: Sealed } | null> {
      const row = await rows.findOne({ _id: ROW });
      return row && { sealed: row.sealed, keys: keysIn(vault.open(row.sealed, COLLECTION)) };
    },

    /** False where another process was first. */
    async insert(keys: LinkKeys): Promise<boolean> {
      try {
        await rows.insertOne({ _id: ROW, sealed: seal(keys) });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** False where the keys are not those that were read any more. */
    async replace(read: Sealed, keys: LinkKeys): Promise<boolean> {
      const filter = { _id: ROW, 'sealed.text': read.text };
      const { matchedCount } = await rows.updateOne(filter, { $set: { sealed: seal(keys) } });
      return matchedCount === 1;
    },

    sealed: sealedRows<KeysDocument>(rows, {
      at: 'sealed',
      valuesOf: ({ sealed }) => [{ path: 'sealed', sealed, boundTo: COLLECTION }],
    }),
  };
}

function textOf({ links, tokens }: LinkKeys): string {
  const texts = (keys: readonly Buffer[]) => keys.map((key) => key.toString('base64'));
  return JSON.stringify({ links: texts(links), tokens: texts(tokens) });
}

function keysIn(plain: Buffer): LinkKeys {
  const { links, tokens } = JSON.parse(plain.toString()) as Record<keyof LinkKeys, string[]>;
  const bytes = (texts: string[]) => texts.map((text) => Buffer.from(text, 'base64'));
  return { links: bytes(links), tokens: bytes(tokens) };
}
