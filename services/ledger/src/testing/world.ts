import { Refusal } from '@laurel/errors';
import { systemContext } from '@laurel/lifecycle';
import { smaller, type Units, unitsOf } from '@laurel/values/amount';
import { adjust } from '../domain/adjust';
import { cancel } from '../domain/cancel';
import { close } from '../domain/close';
import { earn } from '../domain/earn';
import { capture, heldBy, lock, release } from '../domain/hold';
import { merge } from '../domain/merge';
import { takeBack } from '../domain/refund-purchase';
import { shareOf } from '../domain/refund-shares';
import { spend } from '../domain/spend';
import { transferIn, transferOut } from '../domain/transfer';
import type { Draft, Moment, RuledWallet, Rules, Wallet } from '../domain/types';
import { noteOf } from '../domain/wallet';
import type { EntryDocument } from '../store/documents';
import { toPart } from '../store/mapping';
import type { Planner } from '../store/planner';
import type { Step as Happening, Of } from './happenings';
import { addPair, expectProven } from './pairs';
import { type ReferenceRules, ReferenceWallet } from './reference';
import { DAY, NOTE, newPlanner, T0 } from './wallets';

const LOCK_SECONDS = 86_400;
const HOUR = 3_600_000;

/** One client: the domain and the reference side by side, and what later happenings may refer to. */
interface Party {
  planner: Planner;
  reference: ReferenceWallet;
  locks: string[];
  entries: EntryDocument[];
}

/** A few clients to whom things happen; after each, domain and reference must tell the same. */
export class World {
  private now = T0;
  private readonly parties: Party[];
  private readonly reversed = new Set<string>();
  private readonly quarters = new Map<string, number>();
  private operations = 0;

  constructor(
    private readonly limits: ReferenceRules,
    clients: number,
  ) {
    this.parties = Array.from({ length: clients }, (_, number) => ({
      planner: newPlanner(number),
      reference: new ReferenceWallet(),
      locks: [],
      entries: [],
    }));
  }

  happen(event: Happening): void {
    this.now += 1;
    if (event.do === 'wait') this.now += event.hours * HOUR;
    for (const { reference } of this.parties) reference.pass(this.now);
    this.act(event);
    this.compare();
  }

  /** What was written replays to what stands, and its export is proof to who has nothing else. */
  verify(): Promise<void> {
    return expectProven(this.parties.map(({ planner }) => planner));
  }

  private act(event: Happening): void {
    const party = this.parties[event.client]!;
    if (event.do === 'earn' || event.do === 'up') this.credit(party, event);
    else if (event.do === 'spend' || event.do === 'down') this.debit(party, event);
    else if (event.do === 'lock') this.lock(party, event.amount);
    else if (event.do === 'release') this.release(party, event.pick);
    else if (event.do === 'capture') this.capture(party, event);
    else if (event.do === 'cancel') this.cancel(party, event.pick);
    else if (event.do === 'refund') this.refund(party, event);
    else if (event.do === 'transfer') this.transfer(party, this.another(event), event.amount);
    else if (event.do === 'merge') this.merge(party, this.another(event));
    else if (event.do === 'close') this.close(party);
    else if (event.do === 'batch')
      for (const one of event.operations) this.act({ ...one, client: event.client });
  }

  private another({ client, other }: { client: number; other: number }): Party {
    const { length } = this.parties;
    return this.parties[(client + 1 + (other % (length - 1))) % length]!;
  }

  private get rules(): Rules {
    const { cap, mayOwe } = this.limits;
    const maxBalance = cap === null ? null : unitsOf(cap);
    return { pendingDays: null, expiryDays: null, maxBalance, allowNegative: mayOwe };
  }

  private on(wallet: Wallet): RuledWallet {
    return { wallet, rules: this.rules };
  }

  private readonly identify = () => {
    this.operations += 1;
    return { operationId: `op-${this.operations}`, context: systemContext() };
  };

  /** Decides in the domain: the entry, or null when it was refused or came to nothing. */
  private decide(
    { planner, entries }: Party,
    decide: (on: RuledWallet, moment: Moment) => Draft | null,
  ): EntryDocument | null {
    planner.settle(this.now);
    const identity = this.identify();
    const entry = unlessRefused(() =>
      planner.decide((wallet, moment) => decide(this.on(wallet), moment), this.now, identity),
    );
    if (entry) entries.push(entry);
    return entry;
  }

  private credit(party: Party, event: Of<'earn' | 'up'>): void {
    const amount = unitsOf(event.amount);
    const expiryDays = event.expiryDays ?? undefined;
    const pendingDays = event.do === 'earn' ? event.pendingDays : 0;
    const entry = this.decide(party, (on, moment) =>
      event.do === 'earn'
        ? earn(on, { ...NOTE, amount, pendingDays, expiryDays }, moment)
        : adjust(on, { ...NOTE, amount, expiryDays }, moment),
    );
    const ripe = pendingDays > 0 ? this.now + pendingDays * DAY : null;
    const end = expiryDays === undefined ? null : (ripe ?? this.now) + expiryDays * DAY;
    const { _id: key = 'refused' } = entry ?? {};
    const asked = { key, amount: event.amount, ripe, end, rank: this.now };
    const credited = party.reference.earn(asked, this.limits);
    expect(entry?.amount ?? null).toBe(credited);
  }

  private debit(party: Party, event: Of<'spend' | 'down'>): void {
    const entry = this.decide(party, (on, moment) =>
      event.do === 'spend'
        ? spend(on, { ...NOTE, amount: unitsOf(event.amount) })
        : adjust(on, { ...NOTE, amount: unitsOf(-event.amount) }, moment),
    );
    const key = entry?._id ?? 'refused';
    expect(entry !== null).toBe(party.reference.spend(key, event.amount, this.limits.mayOwe));
  }

  private lock(party: Party, points: number): void {
    const amount = unitsOf(points);
    const entry = this.decide(party, (on, moment) =>
      lock(on.wallet, { ...NOTE, amount, expiresInSeconds: LOCK_SECONDS }, moment),
    );
    const key = entry?._id ?? 'refused';
    const done = party.reference.lock(key, points, this.now + LOCK_SECONDS * 1_000);
    expect(entry !== null).toBe(done);
    if (entry) party.locks.push(key);
  }

  private release(party: Party, pick: number): void {
    const key = pickOf(party.locks, pick);
    if (key === null) return;
    const entry = this.decide(party, (on) =>
      release(on.wallet, heldBy(on.wallet, key), { outcome: 'cancelled' }),
    );
    expect(entry !== null).toBe(party.reference.release(key));
  }

  private capture(party: Party, { pick, amount }: Of<'capture'>): void {
    const key = pickOf(party.locks, pick);
    if (key === null) return;
    const units = amount === null ? undefined : unitsOf(amount);
    const entry = this.decide(party, (on, moment) =>
      capture(on.wallet, { lockEntryId: key, amount: units }, moment),
    );
    party.planner.settle(this.now);
    const done = party.reference.capture(key, entry?._id ?? 'refused', amount ?? undefined);
    expect(entry !== null).toBe(done);
  }

  private cancel(party: Party, pick: number): void {
    const entry = pickOf(
      party.entries.filter(
        ({ type, _id }) => ['earn', 'spend', 'adjust'].includes(type) && !this.reversed.has(_id),
      ),
      pick,
    );
    if (!entry) return;
    const { _id: id, type, consumed } = entry;
    const amount = unitsOf(entry.amount);
    const left = notReversed(party, entry);
    const reversible = { id, type, amount, left, consumed: consumed.map(toPart) };
    const done = this.decide(party, (on, moment) =>
      cancel(on.wallet, { entry: reversible, note: noteOf('cancel', id) }, moment),
    );
    const own = { key: done?._id ?? 'refused', rank: this.now };
    expect(done?.amount ?? null).toBe(party.reference.cancel(id, own));
    if (done) this.reversed.add(id);
  }

  /** As the use case does it: the share that is due, but no more than is not reversed yet. */
  private refund(party: Party, event: Of<'refund'>): void {
    const earned = pickOf(
      party.entries.filter(({ type }) => type === 'earn'),
      event.pick,
    );
    if (!earned) return;
    const earnId = earned._id;
    const before = this.quarters.get(earnId) ?? 0;
    const quarters = Math.min(event.quarters, 4 - before);
    this.quarters.set(earnId, before + quarters);
    const credited = unitsOf(earned.amount);
    const left = notReversed(party, earned);
    const due = smaller(shareOf(credited, { before, ratio: quarters, whole: 4 }), left);
    const take = { earnId, left, due };
    const done =
      due > 0 ? this.decide(party, (on) => takeBack(on, take, noteOf('refund', earnId))) : null;
    const share = party.reference.shareOf(earnId, quarters);
    const taken = party.reference.takeBack(earnId, share, this.limits.mayOwe);
    expect(done?.amount ?? 0).toBe(taken === 0 ? 0 : -taken);
  }

  private transfer(from: Party, to: Party, points: number): void {
    from.planner.settle(this.now);
    to.planner.settle(this.now);
    const moments = [from.planner.moment(this.now), to.planner.moment(this.now)] as const;
    const drafts = unlessRefused(() => {
      const command = { ...NOTE, amount: unitsOf(points) };
      const out = transferOut(this.on(from.planner.head.wallet), command);
      const arrival = { parts: out.consumed, note: NOTE };
      return [out, transferIn(this.on(to.planner.head.wallet), arrival, moments[1])] as const;
    });
    const fits = to.reference.fits(points, this.limits.cap);
    const pieces = fits ? from.reference.give(points) : null;
    expect(drafts !== null).toBe(pieces !== null);
    if (!drafts || !pieces) return;
    addPair([from.planner, to.planner], drafts, { moments, identify: this.identify });
    const keyOf = (index: number) => `${moments[1].entryId}.${String(index).padStart(4, '0')}`;
    expect(to.reference.receive(pieces, { keyOf, rank: this.now }, this.limits.cap)).toBe(true);
  }

  private merge(from: Party, to: Party): void {
    if (from.reference.gone || to.reference.gone) return;
    from.planner.settle(this.now);
    to.planner.settle(this.now);
    const { wallet } = from.planner.head;
    const names = { sourceClientId: 'source', targetClientId: 'target', successor: 'wallet' };
    for (const [out, into] of merge(wallet, to.planner.head.wallet, names)) {
      const moments = [from.planner.moment(this.now), to.planner.moment(this.now)] as const;
      const planners = [from.planner, to.planner] as const;
      addPair(planners, [out, into], { moments, identify: this.identify });
    }
    to.reference.absorb(from.reference);
    to.locks.push(...from.locks.splice(0));
    to.entries.push(...from.entries.splice(0));
  }

  private close(party: Party): void {
    let isDone = false;
    while (!isDone)
      isDone = this.decide(party, (on) => close(on.wallet, 'client_deleted')) === null;
    party.reference.close(this.now);
  }

  /** Both must tell the same figures and lots once whatever is due has happened. */
  private compare(): void {
    for (const { planner, reference } of this.parties) {
      planner.settle(this.now);
      reference.pass(this.now);
      const { wallet } = planner.head;
      const { moved: _moved, ...figures } = wallet.figures;
      const { active, pending, locked, earned, spent, expired } = reference;
      expect(figures).toEqual({ active, pending, locked, earned, spent, expired });
      const lots = wallet.lots.map((lot) => [lot.id, lot.remaining, lot.maturesAt, lot.expiresAt]);
      const chunks = reference.open.map(({ key, left, ripe, end }) => [key, left, ripe, end]);
      expect(lots).toEqual(chunks);
      expect(wallet.closing !== null).toBe(reference.gone);
    }
  }
}

/** What of an earn no entry has taken back yet, as the log tells. */
function notReversed({ entries }: Party, { _id, amount }: EntryDocument): Units {
  const reversals = entries.filter((entry) => entry.type === 'cancel' && entry.source_id === _id);
  return unitsOf(reversals.reduce((left, reversal) => left + reversal.amount, amount));
}

function unlessRefused<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function pickOf<T>(from: readonly T[], at: number): T | null {
  return from.length === 0 ? null : from[at % from.length]!;
}
