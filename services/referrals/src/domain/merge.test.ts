import fc from 'fast-check';
import { outcomeOf } from './attribution';
import { isActive, keptTie, planMerge, type Tie } from './merge';
import { newProgram } from './program';
import { newReferral } from './referral';

const program = newProgram(
  { id: 'p', workspaceId: 'w', now: new Date(0) },
  {
    enabled: true,
    completion_criteria: 'first_transaction',
    distribution_id: null,
    pending_expiry_days: null,
    max_referrals_per_referrer: null,
  },
);

/** The referrals of a workspace in memory, moved by the same rules as in the store. */
class Graph {
  readonly ties: Tie[] = [];

  leadsTo(from: string | null, ends: readonly string[]): boolean {
    for (let current = from, steps = 0; current !== null && steps < 100; steps += 1) {
      if (ends.includes(current)) return true;
      current = this.attributionOf(current, true)?.referrer_client_id ?? null;
    }
    return false;
  }

  attributionOf(referee: string, active: boolean): Tie | undefined {
    return this.ties.find(
      (tie) => tie.attributes && tie.referee_client_id === referee && (!active || isActive(tie)),
    );
  }

  attribute(referrer: string, referee: string): void {
    const outcome = outcomeOf({
      program,
      isOwnCode: referrer === referee,
      referrerEnrolled: true,
      isAttributed: this.attributionOf(referee, false) !== undefined,
      wasEnrolled: false,
      closesCycle: this.leadsTo(referrer, [referee]),
      referrerCompleted: 0,
    });
    if (outcome !== 'applied') return;
    const parties = { referrerId: referrer, refereeId: referee, code: 'K7QM2XPA' };
    const made = new Date(this.ties.length);
    const id = String(this.ties.length);
    this.ties.push({ ...newReferral({ id, now: made }, program, parties), attributes: true });
  }

  move(status: 'completed' | 'cancelled' | 'expired', position: number): void {
    const tie = this.ties[position % Math.max(1, this.ties.length)];
    if (tie?.status === 'pending') tie.status = status;
  }

  merge(sourceId: string, targetId: string): void {
    if (sourceId === targetId) return;
    const merge = { sourceId, targetId };
    const looked = this.ties.filter(({ referee_client_id: referee }) =>
      [sourceId, targetId].includes(referee ?? ''),
    );
    const kept = keptTie(looked, merge);
    const closes =
      kept !== null &&
      isActive(kept) &&
      this.leadsTo(kept.referrer_client_id, [sourceId, targetId]);
    for (const { cancelled, ...change } of planMerge(looked, merge, closes)) {
      const tie = this.ties.find(({ id }) => id === change.id)!;
      Object.assign(tie, change, cancelled ? { status: 'cancelled' } : {});
    }
    for (const tie of this.ties) {
      if (tie.referrer_client_id === sourceId) tie.referrer_client_id = targetId;
    }
  }

  forget(client: string): void {
    for (const tie of this.ties) {
      if (tie.referrer_client_id === client) tie.referrer_client_id = null;
      if (tie.referee_client_id === client) {
        Object.assign(tie, { referee_client_id: null, attributes: false });
      }
    }
  }

  check(): void {
    const active = this.ties.filter(isActive);
    for (const tie of this.ties) {
      if (tie.referrer_client_id !== null)
        expect(tie.referrer_client_id).not.toBe(tie.referee_client_id);
    }
    const attributed = this.ties.filter(({ attributes }) => attributes);
    for (const rows of [attributed, active]) {
      const referees = rows.map((tie) => tie.referee_client_id).filter((id) => id !== null);
      expect(new Set(referees).size).toBe(referees.length);
    }
    for (const { referrer_client_id: referrer, referee_client_id: referee } of active) {
      if (referee !== null) expect(this.leadsTo(referrer, [referee])).toBe(false);
    }
  }
}

const client = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('attribute' as const), client, client) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('merge' as const), client, client) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('forget' as const), client) },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom('completed' as const, 'cancelled' as const, 'expired' as const),
      fc.nat(20),
    ),
  },
);

const tie = (id: string, referrer: string, referee: string, more: Partial<Tie> = {}): Tie => ({
  ...newReferral({ id, now: new Date(0) }, program, {
    referrerId: referrer,
    refereeId: referee,
    code: 'X',
  }),
  attributes: true,
  ...more,
});

describe('referrals', () => {
  test('never refer to oneself, never twice to one referee, never in a circle, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const graph = new Graph();
        for (const [kind, one, other] of steps) {
          if (kind === 'attribute') graph.attribute(one as string, other as string);
          else if (kind === 'merge') graph.merge(one as string, other as string);
          else if (kind === 'forget') graph.forget(one as string);
          else graph.move(kind, one as number);
          graph.check();
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('merging the source into the target', () => {
  const merge = { sourceId: 's', targetId: 't' };

  test('cancels a pending referral between the two', () => {
    expect(planMerge([tie('1', 's', 't')], merge, false)).toEqual([
      { id: '1', referrer_client_id: null, attributes: false, cancelled: true },
    ]);
  });

  test('leaves a completed referral between the two as it is, without its referee', () => {
    for (const [referrer, referee] of [
      ['t', 's'],
      ['s', 't'],
    ] as const)
      expect(
        planMerge([tie('1', referrer, referee, { status: 'completed' })], merge, false),
      ).toEqual([{ id: '1', referee_client_id: null, attributes: false, cancelled: false }]);
  });

  test('moves the one referral of the source to the target', () => {
    expect(planMerge([tie('1', 'x', 's')], merge, false)).toEqual([
      { id: '1', referee_client_id: 't', attributes: true, cancelled: false },
    ]);
  });

  test('keeps the completed one of two and cancels the pending one', () => {
    const ties = [tie('1', 'x', 't'), tie('2', 'y', 's', { status: 'completed' })];
    expect(planMerge(ties, merge, false)).toEqual([
      { id: '1', referee_client_id: 't', attributes: false, cancelled: true },
      { id: '2', referee_client_id: 't', attributes: true, cancelled: false },
    ]);
  });

  test('keeps the older of two completed ones; the other stays completed without its referee', () => {
    const done = { status: 'completed' as const };
    const ties = [
      tie('1', 'x', 't', { ...done, date_created: new Date(5) }),
      tie('2', 'y', 's', { ...done, date_created: new Date(3) }),
    ];
    expect(planMerge(ties, merge, false)).toEqual([
      { id: '1', referee_client_id: null, attributes: false, cancelled: false },
      { id: '2', referee_client_id: 't', attributes: true, cancelled: false },
    ]);
  });

  test('cancels a pending referral that would close a circle', () => {
    expect(planMerge([tie('1', 'x', 's')], merge, true)).toEqual([
      { id: '1', referee_client_id: 't', attributes: false, cancelled: true },
    ]);
  });

  test('leaves a pending or completed tie alone where nothing stands against it', () => {
    for (const status of ['pending', 'completed', 'expired', 'cancelled'] as const)
      expect(planMerge([tie('1', 'x', 't', { status })], merge, false)).toEqual([
        { id: '1', referee_client_id: 't', attributes: true, cancelled: false },
      ]);
  });

  test('takes the referee from a completed referral that would close a circle', () => {
    expect(planMerge([tie('1', 'x', 's', { status: 'completed' })], merge, true)).toEqual([
      { id: '1', referee_client_id: null, attributes: false, cancelled: false },
    ]);
  });

  test('keeps a tie that no longer counts, since it closes no circle', () => {
    for (const status of ['expired', 'cancelled'] as const)
      expect(planMerge([tie('1', 'x', 's', { status })], merge, true)).toEqual([
        { id: '1', referee_client_id: 't', attributes: true, cancelled: false },
      ]);
  });

  test('leaves what ended between the two as it ended', () => {
    for (const status of ['expired', 'cancelled'] as const) {
      expect(planMerge([tie('1', 's', 't', { status })], merge, false)).toEqual([
        { id: '1', referrer_client_id: null, attributes: false, cancelled: false },
      ]);
      const second = [tie('1', 'x', 't'), tie('2', 'y', 's', { status })];
      expect(planMerge(second, merge, false)[1]).toEqual({
        id: '2',
        referee_client_id: 't',
        attributes: false,
        cancelled: false,
      });
    }
  });

  test('a referral by or of one of the two alone is not between them', () => {
    const ties = [tie('1', 's', 'x'), tie('2', 'x', 't')];
    expect(keptTie(ties, merge)?.id).toBe('1');
    expect(keptTie([tie('1', 's', 't'), tie('2', 't', 's')], merge)).toBeNull();
  });
});

describe('of several referrals of the merged client', () => {
  const merge = { sourceId: 's', targetId: 't' };
  const inOrder = [
    tie('c', 'x', 't', { status: 'completed', date_created: new Date(9) }),
    tie('b', 'x', 't', { status: 'pending', date_created: new Date(3) }),
    tie('d', 'y', 's', { status: 'pending', date_created: new Date(4) }),
    tie('e', 'y', 's', { status: 'pending', date_created: new Date(4) }),
    tie('f', 'y', 's', { status: 'expired', date_created: new Date(1) }),
    tie('a', 'y', 's', { status: 'cancelled', date_created: new Date(0) }),
  ];

  test('the completed one stays, else the pending, expired or cancelled; of equals the oldest, then the first', () => {
    for (const [at, best] of inOrder.entries()) {
      const left = inOrder.slice(at);
      expect(keptTie(left, merge)).toBe(best);
      expect(keptTie([...left].reverse(), merge)).toBe(best);
    }
    expect(keptTie([], merge)).toBeNull();
  });

  test('one that no longer says by whom its referee was brought cannot stay', () => {
    expect(keptTie([{ ...inOrder[0]!, attributes: false }, inOrder[5]!], merge)).toBe(inOrder[5]);
  });
});

test.each([
  ['pending', true],
  ['completed', true],
  ['expired', false],
  ['cancelled', false],
] as const)('a referral that is %s says who brought whom: %p', (status, active) => {
  expect(isActive({ status })).toBe(active);
});
