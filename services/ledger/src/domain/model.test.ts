import { type Units, unitsOf } from '@laurel/amount';
import { Refusal } from '@laurel/errors';
import { systemContext } from '@laurel/lifecycle';
import fc from 'fast-check';
import { GENESIS_HASH } from '../store/chain';
import { ChainCheck } from '../store/chain-check';
import type { EntryDocument } from '../store/documents';
import { toPart } from '../store/mapping';
import { Planner } from '../store/planner';
import { type ReferenceRules, ReferenceWallet } from '../testing/reference';
import { DAY, NOTE, T0 } from '../testing/wallets';
import { adjust } from './adjust';
import { cancel } from './cancel';
import { earn } from './earn';
import { capture, heldBy, lock, release } from './hold';
import { spend } from './spend';
import { transferIn, transferOut } from './transfer';
import type { Draft, Moment, Rules, Wallet } from './types';
import { EMPTY_WALLET } from './wallet';

/** One thing that happens to one of a few clients; `pick` chooses among what there is to choose from. */
type Happening = { client: number } & (
  | { do: 'earn'; amount: number; pendingDays: number; expiryDays: number | null }
  | { do: 'spend' | 'down' | 'lock' | 'transfer'; amount: number }
  | { do: 'up'; amount: number; expiryDays: number | null }
  | { do: 'release' | 'cancel'; pick: number }
  | { do: 'capture'; pick: number; amount: number | null }
  | { do: 'wait'; hours: number }
);

const client = fc.nat(2);
const amount = fc.integer({ min: 1, max: 60 });
const pick = fc.nat(50);
const days = fc.option(fc.integer({ min: 1, max: 4 }));
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({
    client,
    do: fc.constant('earn' as const),
    amount,
    pendingDays: fc.nat(2),
    expiryDays: days,
  }),
  fc.record({
    client,
    do: fc.constantFrom('spend' as const, 'down' as const, 'lock' as const, 'transfer' as const),
    amount,
  }),
  fc.record({ client, do: fc.constant('up' as const), amount, expiryDays: days }),
  fc.record({ client, do: fc.constantFrom('release' as const, 'cancel' as const), pick }),
  fc.record({ client, do: fc.constant('capture' as const), pick, amount: fc.option(amount) }),
  fc.record({ client, do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 40 }) }),
);
const rulesArbitrary: fc.Arbitrary<ReferenceRules> = fc.record({
  cap: fc.option(fc.integer({ min: 20, max: 200 })),
  mayOwe: fc.boolean(),
});

/** The domain and the reference side by side. */
class World {
  now = T0;
  readonly planners: Planner[];
  readonly references = [0, 1, 2].map(() => new ReferenceWallet());
  private readonly locks: string[][] = [[], [], []];
  private readonly reversed = new Set<string>();

  constructor(private readonly limits: ReferenceRules) {
    this.planners = [0, 1, 2].map((number) => {
      const id = `wallet-${number}`;
      const ref = {
        id,
        workspaceId: 'w',
        clientId: `c${number}`,
        walletTypeId: 't',
        walletTypeCode: 'points',
      };
      return new Planner({ ref, wallet: EMPTY_WALLET, hash: GENESIS_HASH });
    });
  }

  private get rules(): Rules {
    const { cap, mayOwe } = this.limits;
    return {
      pendingDays: null,
      expiryDays: null,
      maxBalance: cap === null ? null : unitsOf(cap),
      allowNegative: mayOwe,
    };
  }

  /** Decides in the domain: the entry, or null when it was refused. */
  private decide(
    number: number,
    decide: (wallet: Wallet, moment: Moment) => Draft,
  ): EntryDocument | null {
    const planner = this.planners[number]!;
    planner.settle(this.now);
    const operationId = `op-${number}-${planner.documents.length}`;
    try {
      return planner.decide(decide, this.now, { operationId, context: systemContext() });
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  happen(event: Happening): void {
    this.now += 1;
    for (const reference of this.references) reference.pass(this.now);
    this.act(event);
    this.compare();
  }

  private act(event: Happening): void {
    const { client: number } = event;
    const reference = this.references[number]!;
    const note = NOTE;
    const { mayOwe } = this.limits;
    switch (event.do) {
      case 'wait':
        this.now += event.hours * 3_600_000;
        for (const one of this.references) one.pass(this.now);
        return;
      case 'earn':
      case 'up': {
        const units = unitsOf(event.amount);
        const expiryDays = event.expiryDays ?? undefined;
        const pendingDays = event.do === 'earn' ? event.pendingDays : 0;
        const entry = this.decide(number, (wallet, moment) =>
          event.do === 'earn'
            ? earn(wallet, this.rules, { ...note, amount: units, pendingDays, expiryDays }, moment)
            : adjust(wallet, this.rules, { ...note, amount: units, expiryDays }, moment),
        );
        const ripe = pendingDays > 0 ? this.now + pendingDays * DAY : null;
        const end = expiryDays === undefined ? null : (ripe ?? this.now) + expiryDays * DAY;
        const key = entry?._id ?? 'refused';
        const credited = reference.earn(key, this.now, event.amount, this.limits, ripe, end);
        expect(entry?.amount ?? null).toBe(credited);
        return;
      }
      case 'spend':
      case 'down': {
        const entry = this.decide(number, (wallet, moment) =>
          event.do === 'spend'
            ? spend(wallet, this.rules, { ...note, amount: unitsOf(event.amount) })
            : adjust(wallet, this.rules, { ...note, amount: unitsOf(-event.amount) }, moment),
        );
        expect(entry !== null).toBe(reference.spend(entry?._id ?? 'refused', event.amount, mayOwe));
        return;
      }
      case 'lock': {
        const seconds = 86_400;
        const entry = this.decide(number, (wallet, moment) =>
          lock(
            wallet,
            { ...note, amount: unitsOf(event.amount), expiresInSeconds: seconds },
            moment,
          ),
        );
        const key = entry?._id ?? 'refused';
        expect(entry !== null).toBe(reference.lock(key, event.amount, this.now + seconds * 1_000));
        if (entry) this.locks[number]!.push(key);
        return;
      }
      case 'release': {
        const key = pickOf(this.locks[number]!, event.pick);
        if (key === null) return;
        const entry = this.decide(number, (wallet) =>
          release(wallet, heldBy(wallet, key), 'cancelled'),
        );
        expect(entry !== null).toBe(reference.release(key));
        return;
      }
      case 'capture': {
        const key = pickOf(this.locks[number]!, event.pick);
        if (key === null) return;
        const wanted = event.amount ?? undefined;
        const units = wanted === undefined ? undefined : unitsOf(wanted);
        const entry = this.decide(number, (wallet, moment) => capture(wallet, key, units, moment));
        this.planners[number]!.settle(this.now);
        expect(entry !== null).toBe(reference.capture(key, entry?._id ?? 'refused', wanted));
        return;
      }
      case 'cancel':
        this.cancel(number, event.pick);
        return;
      case 'transfer':
        this.transfer(number, event.amount);
    }
  }

  private cancel(number: number, at: number): void {
    const entries = this.planners[number]!.documents.filter(
      ({ type, _id }) => ['earn', 'spend', 'adjust'].includes(type) && !this.reversed.has(_id),
    );
    const entry = pickOf(entries, at);
    if (!entry) return;
    const reversible = {
      id: entry._id,
      type: entry.type,
      amount: unitsOf(entry.amount),
      consumed: entry.consumed.map(toPart),
    };
    const done = this.decide(number, (wallet, moment) => cancel(wallet, reversible, NOTE, moment));
    const own = { key: done?._id ?? 'refused', rank: this.now };
    expect(done?.amount ?? null).toBe(this.references[number]!.cancel(entry._id, own));
    if (done) this.reversed.add(entry._id);
  }

  private transfer(number: number, points: number): void {
    const other = (number + 1) % 3;
    const [from, to] = [this.planners[number]!, this.planners[other]!];
    from.settle(this.now);
    to.settle(this.now);
    let drafts: [Draft, Draft] | null = null;
    const moments = [from.moment(this.now), to.moment(this.now)] as const;
    try {
      const out = transferOut(from.head.wallet, this.rules, {
        ...NOTE,
        amount: unitsOf(points) as Units,
      });
      drafts = [out, transferIn(to.head.wallet, this.rules, out.consumed, NOTE, moments[1])];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    const fits =
      this.limits.cap === null ||
      this.references[other]!.active + this.references[other]!.pending + points <= this.limits.cap;
    const pieces = fits ? this.references[number]!.give(points) : null;
    expect(drafts !== null).toBe(pieces !== null);
    if (!drafts || !pieces) return;
    const identity = { operationId: `transfer-${this.now}`, context: systemContext() };
    from.add(drafts[0], moments[0], identity);
    to.add(drafts[1], moments[1], identity);
    const keyOf = (index: number) => `${moments[1].entryId}.${String(index).padStart(4, '0')}`;
    expect(this.references[other]!.receive(pieces, keyOf, this.now, this.limits.cap)).toBe(true);
  }

  /** Both must tell the same figures once whatever is due has happened. */
  private compare(): void {
    for (const [number, planner] of this.planners.entries()) {
      planner.settle(this.now);
      const { active, pending, locked, earned, spent, expired } = planner.head.wallet.figures;
      const reference = this.references[number]!;
      reference.pass(this.now);
      expect({ active, pending, locked, earned, spent, expired }).toEqual({
        active: reference.active,
        pending: reference.pending,
        locked: reference.locked,
        earned: reference.earned,
        spent: reference.spent,
        expired: reference.expired,
      });
    }
  }

  /** What was written replays to what stands. */
  verify(): void {
    for (const planner of this.planners) {
      const check = new ChainCheck(null);
      for (const entry of planner.documents) check.next(entry);
      check.end();
      expect(check.problems).toEqual([]);
    }
  }
}

function pickOf<T>(from: readonly T[], at: number): T | null {
  return from.length === 0 ? null : from[at % from.length]!;
}

test('whatever happens to three wallets, the domain and the reference agree on every answer and balance', () => {
  fc.assert(
    fc.property(
      rulesArbitrary,
      fc.array(happening, { maxLength: 100, size: 'max' }),
      (limits, happenings) => {
        const world = new World(limits);
        for (const event of happenings) world.happen(event);
        world.verify();
      },
    ),
    { numRuns: 300 },
  );
});
