import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
} from 'node:crypto';
import { canonical } from '../canonical';
import { rootOf } from '../checkpoint';
import type { Checkpoint, EntryBody, ExportedEntry, Figures } from '../types';

const NOTHING = { active: 0, pending: 0, locked: 0, earned: 0, spent: 0, expired: 0, moved: 0 };
const AT = Date.parse('2026-01-15T10:00:00.000Z');

/** What an entry is made from: the rest follows from the one before. */
type Row = Pick<EntryBody, 'wallet_id' | 'type' | 'amount' | 'change' | 'lots'> &
  Partial<EntryBody>;

/** A ledger of two wallets, as it is exported: A earns 100, spends 30, gives 20 to B and earns 5 more. */
export function makeBook(): ExportedEntry[] {
  const lotOfA = { id: 'lot-a', matures_at: null, expires_at: null };
  const rows: Row[] = [
    {
      wallet_id: 'A',
      type: 'earn',
      amount: 100,
      change: figures({ active: 100, earned: 100 }),
      lots: [{ ...lotOfA, by: 100 }],
    },
    {
      wallet_id: 'A',
      type: 'spend',
      amount: -30,
      change: figures({ active: -30, spent: 30 }),
      lots: [{ ...lotOfA, by: -30 }],
    },
    {
      wallet_id: 'A',
      type: 'transfer_out',
      amount: -20,
      change: figures({ active: -20, moved: -20 }),
      lots: [{ ...lotOfA, by: -20 }],
      counterpart: { entry_id: 'B1', wallet_id: 'B' },
    },
    {
      wallet_id: 'B',
      type: 'transfer_in',
      amount: 20,
      change: figures({ active: 20, moved: 20 }),
      lots: [{ ...lotOfA, id: 'lot-b', by: 20 }],
      counterpart: { entry_id: 'A3', wallet_id: 'A' },
    },
    {
      wallet_id: 'A',
      type: 'earn',
      amount: 5,
      change: figures({ active: 5, earned: 5 }),
      lots: [{ ...lotOfA, id: 'lot-c', by: 5 }],
    },
  ];
  return chained(rows.map((body) => ({ body })));
}

const figures = (some: Partial<Figures>): Figures => ({ ...NOTHING, ...some });

/** Numbers, sums up and hashes entries anew: what a forger who knows the format would do. */
export function chained(entries: readonly { body: Row }[]): ExportedEntry[] {
  const last = new Map<string, ExportedEntry>();
  return entries.map(({ body }) => {
    const before = last.get(body.wallet_id);
    const entry = entryAfter(before, body);
    last.set(body.wallet_id, entry);
    return entry;
  });
}

function entryAfter(before: ExportedEntry | undefined, given: Row): ExportedEntry {
  const sequence = (before?.body.sequence ?? 0) + 1;
  const id = `${given.wallet_id}${sequence}`;
  const note = { salt: '00ff', description: `Entry ${id}`, metadata: {} };
  const { salt: _salt, ...words } = note;
  const previous = before?.body.after ?? NOTHING;
  const names = Object.keys(NOTHING) as (keyof Figures)[];
  const body: EntryBody = {
    consumed: [],
    holds: [],
    caps: null,
    counterpart: null,
    source_type: 'manual',
    ...given,
    _id: id,
    workspace_id: 'W',
    client_id: given.client_id ?? given.wallet_id,
    sequence,
    operation_id: `operation-${id}`,
    after: Object.fromEntries(
      names.map((name) => [name, previous[name] + given.change[name]]),
    ) as unknown as Figures,
    note_digest: createHmac('sha256', Buffer.from(note.salt, 'hex'))
      .update(canonical(words))
      .digest('hex'),
    created_at: new Date(AT + sequence * 60_000).toISOString(),
  };
  const prev_hash = before?.hash ?? '0'.repeat(64);
  const hash = createHash('sha256')
    .update(`${prev_hash}\n${canonical(body)}`)
    .digest('hex');
  return { body, prev_hash, hash, status: 'active', note };
}

/** A key pair, and the signer of checkpoints that it makes. */
export function makeSigner() {
  const { privateKey: pem } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const key = createPublicKey(createPrivateKey(pem));
  const public_key = key.export({ type: 'spki', format: 'pem' }) as string;
  const der = key.export({ type: 'spki', format: 'der' });
  const key_id = createHash('sha256').update(der).digest('hex').slice(0, 16);

  return {
    publicKey: public_key,
    /** A checkpoint over the last entry of every wallet. */
    sign(entries: readonly ExportedEntry[], at = '2026-01-15T11:00:00.000Z'): Checkpoint {
      const heads = new Map(
        entries.map(({ body: { wallet_id: wallet, sequence }, hash }) => [
          wallet,
          { wallet, sequence, hash },
        ]),
      );
      const unsigned = {
        id: 'checkpoint-1',
        workspace_id: 'W',
        at,
        wallets: heads.size,
        root: rootOf([...heads.values()]),
      };
      const { workspace_id, id, wallets, root } = unsigned;
      const text = ['laurel-checkpoint-1', workspace_id, id, at, wallets, root].join('\n');
      const signature = sign(null, Buffer.from(text), pem).toString('base64');
      return { ...unsigned, signature, key_id, public_key };
    },
  };
}
