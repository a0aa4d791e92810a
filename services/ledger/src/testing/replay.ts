import type { EntryDocument } from '../store/documents';
import { type ReferenceRules, ReferenceWallet } from './reference';

/** Everything of one workspace, read back from the store. */
interface Written {
  /** The entries of each wallet in their order. */
  entries: readonly EntryDocument[];
  /** What was due of an earn, by the operation of the refund that took it. */
  due: ReadonlyMap<string, number>;
  rules: ReferenceRules;
}

/**
 * Lets the log of every wallet happen again to a reference, one entry after the other, and compares every
 * amount and every balance that was ever reported.
 */
export class Replay {
  private readonly wallets = new Map<string, ReferenceWallet>();
  private readonly byId: ReadonlyMap<string, EntryDocument>;
  private readonly since: number;

  constructor(private readonly written: Written) {
    this.byId = new Map(written.entries.map((entry) => [entry._id, entry]));
    this.since = Math.min(...written.entries.map(({ created_at }) => created_at.getTime()));
  }

  run(): void {
    for (const { wallet_id: walletId } of this.written.entries) this.replay(walletId);
  }

  /** A wallet up to its end, or up to the merge by which it became part of another. */
  private replay(walletId: string): ReferenceWallet {
    const known = this.wallets.get(walletId);
    if (known) return known;
    const reference = new ReferenceWallet();
    this.wallets.set(walletId, reference);
    const log = this.written.entries.filter((entry) => entry.wallet_id === walletId);
    for (const entry of log) {
      if (isMerge(entry) && entry.type === 'transfer_out') {
        expect(log.slice(log.indexOf(entry)).every(isMerge)).toBe(true);
        break;
      }
      // The last entry of a merge brings everything; those before it tell what of it is not active.
      if (isMerge(entry) && !this.closesItsSource(entry)) continue;
      expect({ entry, amount: this.apply(reference, entry) }).toMatchObject({
        amount: entry.amount,
      });
      const { moved: _moved, ...after } = entry.after;
      const { active, pending, locked, earned, spent, expired } = reference;
      expect({ active, pending, locked, earned, spent, expired }).toEqual(after);
    }
    return reference;
  }

  /** Lots are used up in the order of their times, then of their entries, also those of several wallets. */
  private rankOf({ created_at, sequence }: EntryDocument): number {
    return (created_at.getTime() - this.since) * 100_000 + sequence;
  }

  /** The amount that the reference comes to; null where it would refuse. */
  private apply(reference: ReferenceWallet, entry: EntryDocument): number | null {
    const { _id: id, type, amount, source_id: sourceId, source_type: sourceType } = entry;
    const { mayOwe } = this.written.rules;
    const done = (agreed: boolean): number | null => (agreed ? amount : null);
    if (
      (sourceType === 'client_deleted' || sourceType === 'client_anonymized') &&
      type === 'adjust'
    )
      return done(reference.close());
    if (type === 'earn' || (type === 'adjust' && amount > 0)) return this.credit(reference, entry);
    if (sourceType === 'capture') return done(reference.capture(sourceId!, id, -amount));
    if (type === 'spend' || type === 'adjust') return done(reference.spend(id, -amount, mayOwe));
    if (type === 'lock') return done(reference.lock(id, -amount, Infinity));
    if (sourceType === 'maturation') return done(reference.age(entry.lots[0]!.id));
    if (type === 'expire') return done(reference.age(entry.lots[0]!.id));
    if (type === 'unlock') return done(reference.release(sourceId!));
    if (sourceType === 'refund') {
      const due = this.written.due.get(entry.operation_id)!;
      return -reference.takeBack(sourceId!, due, mayOwe);
    }
    if (type === 'cancel')
      return reference.cancel(sourceId!, { key: id, rank: this.rankOf(entry) });
    if (type === 'transfer_out') return done(reference.give(-amount) !== null);
    return done(isMerge(entry) ? this.absorb(reference, entry) : this.receive(reference, entry));
  }

  private credit(reference: ReferenceWallet, entry: EntryDocument): number | null {
    const ripe = entry.lots[0]?.matures_at ?? null;
    const end = entry.expires_at?.getTime() ?? null;
    const { requested } = entry.caps!;
    const asked = { key: entry._id, amount: requested, ripe, end, rank: this.rankOf(entry) };
    return reference.earn(asked, this.written.rules);
  }

  private receive(reference: ReferenceWallet, entry: EntryDocument): boolean {
    const pieces = this.byId.get(entry.counterpart!.entry_id)!.consumed.map((part) => ({
      key: part.id,
      amount: part.amount,
      end: part.expires_at,
      rank: this.rankOf(entry),
    }));
    const keyOf = (index: number) => `${entry._id}.${String(index).padStart(4, '0')}`;
    return reference.receive(pieces, { keyOf, rank: this.rankOf(entry) }, this.written.rules.cap);
  }

  /** By what the hash covers: the note, which says it too, goes with a client who is deleted. */
  private closesItsSource({ counterpart }: EntryDocument): boolean {
    return this.byId.get(counterpart!.entry_id)!.closing !== null;
  }

  private absorb(reference: ReferenceWallet, entry: EntryDocument): boolean {
    const source = this.replay(entry.counterpart!.wallet_id);
    const { active } = source;
    reference.absorb(source);
    return active === entry.amount;
  }
}

const isMerge = ({ source_type }: EntryDocument): boolean => source_type === 'merge';
