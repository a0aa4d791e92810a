import { createHash, createHmac, createSecretKey } from 'node:crypto';
import { canonical } from './canonical';
import { OpenPoints } from './open-points';
import { type EntryBody, type ExportedEntry, FIGURES, type Figures } from './types';

const GENESIS = '0'.repeat(64);

/** What the next entry follows from; of a million wallets the rest would be gigabytes. */
type Last = Pick<ExportedEntry, 'hash'> & {
  body: Pick<EntryBody, 'client_id' | 'sequence' | 'after' | 'created_at'>;
};
type Complain = (sequence: number, problem: string) => void;

/** Follows one wallet from entry to entry and complains about whatever does not follow. */
export class WalletCheck {
  /** Where the wallet stood at the checkpoint's time. */
  checkpointHead: { sequence: number; hash: string } | null = null;
  /** True when the first entry in the export is not the wallet's first. */
  partial = false;
  private last: Last | null = null;
  private readonly open = new OpenPoints();

  constructor(
    private readonly complain: Complain,
    private readonly checkpointAt: number | null,
  ) {}

  next(entry: ExportedEntry): void {
    this.checkChain(entry);
    this.checkNote(entry);
    this.checkFigures(entry.body);
    if (!this.partial)
      this.open.next(entry.body, (problem) => this.complain(entry.body.sequence, problem));
    if (this.checkpointAt !== null && Date.parse(entry.body.created_at) <= this.checkpointAt)
      this.checkpointHead = { sequence: entry.body.sequence, hash: entry.hash };
    const { client_id, sequence, after, created_at } = entry.body;
    this.last = { hash: entry.hash, body: { client_id, sequence, after, created_at } };
  }

  private checkChain({ body, prev_hash, hash }: ExportedEntry): void {
    const { sequence } = body;
    if (!this.last) {
      this.partial = sequence > 1;
      if (sequence < 1) this.complain(sequence, 'a sequence starts at 1');
      if (sequence === 1 && prev_hash !== GENESIS)
        this.complain(sequence, 'the first entry does not start the chain');
    } else {
      const before = this.last.body;
      if (sequence !== before.sequence + 1)
        this.complain(sequence, `does not follow entry ${before.sequence}`);
      // A merge moves points from wallet to wallet: none of them ever changes hands.
      if (body.client_id !== before.client_id)
        this.complain(sequence, 'the entry is of another client than the wallet');
      if (prev_hash !== this.last.hash) this.complain(sequence, 'prev_hash is not the hash before');
      if (Date.parse(body.created_at) < Date.parse(before.created_at))
        this.complain(sequence, 'time runs backwards');
    }
    const computed = createHash('sha256')
      .update(`${prev_hash}\n${canonical(body)}`)
      .digest('hex');
    if (computed !== hash) this.complain(sequence, 'does not match its hash');
  }

  private checkNote({ body, note }: ExportedEntry): void {
    if (!note) return;
    const { salt, description, metadata } = note;
    // Node takes five times as long with a key as bytes.
    const digest = createHmac('sha256', createSecretKey(salt, 'hex'))
      .update(canonical({ description, metadata }))
      .digest('hex');
    if (digest !== body.note_digest)
      this.complain(body.sequence, 'description or metadata are not the ones written');
  }

  private checkFigures({
    sequence,
    change,
    after,
    amount,
    type,
    caps,
    source_type,
  }: EntryBody): void {
    const before = this.last?.body.after ?? (this.partial ? null : zero());
    const complain = (problem: string) => this.complain(sequence, problem);
    if (
      FIGURES.some(
        (name) => !Number.isSafeInteger(after[name]) || !Number.isSafeInteger(change[name]),
      )
    )
      complain('a figure is no whole number of units');
    if (before)
      for (const name of FIGURES)
        if (before[name] + change[name] !== after[name]) complain(`${name} does not follow`);
    const { active, pending, locked, earned, spent, expired, moved } = after;
    if (earned + moved - spent - expired !== active + pending + locked)
      complain('the totals do not explain the balances');
    if (pending < 0 || locked < 0) complain('pending or locked points are below zero');
    if (
      before &&
      active < 0 &&
      active < before.active &&
      !caps?.allow_negative &&
      source_type !== 'merge'
    )
      complain('the wallet is overdrawn');
    if (before && type === 'earn' && caps && caps.max_balance !== null)
      if (active > Math.max(caps.max_balance, before.active))
        complain('the wallet is over its cap');
    if (amount !== expectedAmount({ type, source_type }, change))
      complain('the amount is not what the entry moved');
  }
}

/** What each type of entry shows as its amount. A merge moves pending points and points on hold by entries of their own. */
function expectedAmount(
  { type, source_type }: Pick<EntryBody, 'type' | 'source_type'>,
  change: Figures,
): number {
  if (type === 'earn') return change.earned;
  if (type === 'cancel') return change.active + change.pending;
  if (type === 'spend') return -change.spent;
  if (type === 'expire') return -change.expired;
  if (source_type === 'merge') return change.active + change.pending + change.locked;
  return change.active;
}

function zero(): Figures {
  return { active: 0, pending: 0, locked: 0, earned: 0, spent: 0, expired: 0, moved: 0 };
}
