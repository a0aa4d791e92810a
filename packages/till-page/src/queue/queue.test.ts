import { Refused } from '@laurel/page-kit';
import fc from 'fast-check';
import type { Executed } from '../shapes';
import { isTooOld, needsLook, nextToSend, step, WISHES_MAX, type Wish, waiting } from './machine';
import { createQueue, type Outcome, type Queue, QueueFull } from './queue';
import type { WishStore } from './store';

declare const setImmediate: (work: (done: unknown) => void) => void;

const DAY_MS = 86_400_000;
/** How long the platform remembers what it has answered to a key. */
const ANSWERS_KEPT_MS = 7 * DAY_MS;

const wishOf = (key: string, overrides: Partial<Wish> = {}): Wish => ({
  key,
  code: 'card',
  name: null,
  passId: null,
  actionId: 'action',
  title: 'Purchase',
  data: {},
  at: 0,
  mayWait: true,
  state: 'waiting',
  ...overrides,
});

/** The store of a browser: what is written survives whatever happens to the page. */
function diskStore(rows: Map<string, Wish>, isAlive: () => boolean): WishStore {
  const guard = async () => {
    if (!isAlive()) await new Promise(() => undefined);
  };
  return {
    all: async () => {
      await guard();
      return [...rows.values()];
    },
    put: async (wish) => {
      await guard();
      rows.set(wish.key, wish);
    },
    remove: async (key) => {
      await guard();
      rows.delete(key);
    },
    replace: async (key, wish) => {
      await guard();
      if (!rows.delete(key)) return false;
      rows.set(wish.key, wish);
      return true;
    },
  };
}

type Fault =
  | 'none'
  | 'killed before'
  | 'request lost'
  | 'reply lost'
  | 'busy'
  | 'signed out'
  | 'refused'
  | 'killed';
const executed: Executed = {
  operation_id: null,
  action_type: 'add_transaction',
  result: {},
  balances: [],
};

/** A platform that answers each key once for seven days, behind a network that fails as it is set. */
function world() {
  const rows = new Map<string, Wish>();
  const done = new Map<string, number>();
  const answered = new Map<string, number>();
  const order: string[] = [];
  const faults: Fault[] = [];
  /** What the platform can make nothing of, however often it is sent. */
  const broken = new Set<string>();
  /** What was refused: a key is answered as it was the first time. */
  const refused = new Set<string>();
  /** The moments that came under each key, as a moment or as the date of a purchase. */
  const told = new Map<string, Set<number | string | undefined>>();
  let now = 0;
  let page = 0;

  function open(): Queue {
    page += 1;
    const own = page;
    const isAlive = () => own === page;
    const die = () => {
      page += 1;
      return new Promise<never>(() => undefined);
    };
    const platform = {
      find: async (code: string) => `pass of ${code}`,
      execute: async (wish: Wish) => {
        const fault = faults.shift() ?? 'none';
        const moment = wish.occurredAt ?? (wish.data.transaction_timestamp as string | undefined);
        told.set(wish.key, (told.get(wish.key) ?? new Set()).add(moment));
        if (fault === 'request lost') throw new Refused(0, 'UNREACHABLE');
        if (broken.has(wish.key)) throw new Refused(500, 'INTERNAL');
        if (fault === 'killed before') return die();
        if (fault === 'busy') throw new Refused(409, 'CONFLICT', { retryAfterSeconds: 1 });
        if (fault === 'signed out') throw new Refused(401, 'INVALID_TOKEN');
        if (fault === 'refused') refused.add(wish.key);
        if (refused.has(wish.key)) throw new Refused(403, 'FORBIDDEN');
        const isKnown = now - (answered.get(wish.key) ?? -Infinity) <= ANSWERS_KEPT_MS;
        if (!isKnown) {
          done.set(wish.key, (done.get(wish.key) ?? 0) + 1);
          answered.set(wish.key, now);
          order.push(wish.key);
        }
        if (fault === 'reply lost') throw new Refused(0, 'UNREACHABLE');
        if (fault === 'killed') return die();
        return { ...executed, operation_id: `of ${wish.key}` };
      },
    };
    const alone = <T>(work: () => Promise<T>) => work();
    return createQueue({ store: diskStore(rows, isAlive), platform, now: () => now, alone });
  }
  return {
    rows,
    done,
    order,
    faults,
    broken,
    told,
    open,
    get now() {
      return now;
    },
    pass: (ms: number) => {
      now += ms;
    },
    kill: () => {
      page += 1;
    },
  };
}

/** A page that was killed never answers. */
const orKilled = (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setImmediate(() => setImmediate(resolve)))]);

const fault = fc.constantFrom<Fault>(
  'none',
  'none',
  'request lost',
  'reply lost',
  'busy',
  'signed out',
  'refused',
  'killed',
  'killed before',
);
const act = fc.oneof(
  fc.record({
    do: fc.constant('wish' as const),
    card: fc.constantFrom('a', 'b'),
    mayWait: fc.boolean(),
    isPurchase: fc.boolean(),
    faults: fc.array(fault, { maxLength: 3 }),
  }),
  fc.record({
    do: fc.constant('give' as const),
    card: fc.constantFrom('a', 'b'),
    faults: fc.array(fault, { maxLength: 3 }),
  }),
  fc.record({ do: fc.constant('withdraw' as const) }),
  fc.record({ do: fc.constant('drain' as const), faults: fc.array(fault, { maxLength: 3 }) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 9 * DAY_MS }) }),
  fc.record({ do: fc.constant('kill' as const) }),
);

describe('the queue of the till', () => {
  test('never loses a wish and never does one twice, whatever the network and the page do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 25 }), async (acts) => {
        const it = world();
        let queue = it.open();
        const wished: string[] = [];
        // What each was first wished as: given to another customer it is still one wish.
        const first = new Map<string, string>();
        const withdrawn = new Set<string>();
        for (const each of acts) {
          if (each.do === 'give' || each.do === 'withdraw') {
            const rows = [...it.rows.values()];
            it.faults.splice(0, it.faults.length, ...('faults' in each ? each.faults : []));
            for (const { key } of each.do === 'give' ? rows.slice(0, 2) : rows.slice(0, 1)) {
              if (each.do === 'withdraw') {
                if (await queue.withdraw(key)) withdrawn.add(first.get(key) ?? key);
                continue;
              }
              const given = `${key} given`;
              first.set(given, first.get(key) ?? key);
              const whose = { code: each.card, name: null, passId: null };
              // A thumb that taps twice, too.
              const again = `${given} again`;
              first.set(again, first.get(key) ?? key);
              await orKilled(
                Promise.all([queue.give(key, whose, given), queue.give(key, whose, again)]),
              );
            }
            queue = it.open();
          }
          if (each.do === 'wait') it.pass(each.ms);
          if (each.do === 'kill') queue = it.open();
          if (each.do === 'drain' || each.do === 'wish') {
            it.faults.splice(0, it.faults.length, ...each.faults);
            if (each.do === 'wish') {
              const key = `wish ${wished.length}`;
              wished.push(key);
              const { card: code, mayWait, isPurchase } = each;
              const added = queue.add(wishOf(key, { code, mayWait, isPurchase, at: it.now }));
              const outcome = (await orKilled(added)) as Outcome | undefined;
              // Whatever else the turn has sent, what is said of a wish is its own.
              if (outcome?.state === 'done')
                expect(outcome.executed.operation_id).toBe(`of ${key}`);
            } else await orKilled(queue.drain());
            // A cashier who finds the page gone opens it again.
            queue = it.open();
          }
        }
        it.faults.length = 0;
        await queue.drain();

        const firstOf = (key: string) => first.get(key) ?? key;
        const look = needsLook([...it.rows.values()], it.now).map(({ key }) => firstOf(key));
        for (const key of wished) {
          const times = [...it.done]
            .filter(([done]) => firstOf(done) === key)
            .reduce((sum, [, count]) => sum + count, 0);
          // Never twice; and done, or before a person's eyes, unless it was taken back.
          expect(times).toBeLessThanOrEqual(withdrawn.has(key) ? 0 : 1);
          expect(times + look.filter((each) => each === key).length > 0).toBe(!withdrawn.has(key));
        }
        // Another moment would be another request under the same key.
        for (const moments of it.told.values()) expect(moments.size).toBe(1);
        expect(waiting([...it.rows.values()], it.now)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('sends in the order in which it was wished', async () => {
    const it = world();
    const queue = it.open();
    it.faults.push('request lost', 'request lost');
    await queue.add(wishOf('first', { at: 1 }));
    await queue.add(wishOf('second', { at: 2 }));
    await queue.add(wishOf('third', { at: 3 }));
    expect(it.order).toEqual(['first', 'second', 'third']);
  });

  test('never sends by itself what must not wait', async () => {
    const it = world();
    const queue = it.open();
    it.faults.push('request lost');
    expect(await queue.add(wishOf('redeem', { mayWait: false }))).toEqual({ state: 'unsure' });
    await queue.drain();
    expect(it.order).toEqual([]);
    expect((await queue.askAgain('redeem')).state).toBe('done');
    expect(it.order).toEqual(['redeem']);
  });

  test('does nothing by itself that must not wait, though its page was gone before it was sent', async () => {
    const it = world();
    it.rows.set('redeem', wishOf('redeem', { mayWait: false, passId: 'a' }));
    const queue = it.open();
    await queue.drain();
    expect(it.order).toEqual([]);
    expect(needsLook(await queue.all(), it.now).map(({ key }) => key)).toEqual(['redeem']);
    expect((await queue.askAgain('redeem')).state).toBe('done');
    expect(it.order).toHaveLength(1);
  });

  test('keeps nothing for later that must not wait, where the line breaks before its turn', async () => {
    const it = world();
    const queue = it.open();
    it.rows.set('kept', wishOf('kept'));
    it.faults.push('request lost');
    const redeem = wishOf('redeem', { at: 1, mayWait: false, passId: 'b' });
    expect(await queue.add(redeem)).toMatchObject({
      state: 'refused',
      problem: { code: 'UNREACHABLE' },
    });
    await queue.drain();
    expect(it.order).toEqual(['kept']);
  });

  test('goes on with other cards past what the platform cannot answer, and keeps the order of each', async () => {
    const it = world();
    const queue = it.open();
    it.broken.add('broken');
    it.rows.set('broken', wishOf('broken', { at: 1, code: 'a' }));
    it.rows.set('behind it', wishOf('behind it', { at: 2, code: 'a' }));
    it.rows.set('other card', wishOf('other card', { at: 3, code: 'b' }));
    await queue.drain();
    expect(it.order).toEqual(['other card']);
    expect(waiting(await queue.all(), it.now).map(({ key }) => key)).toEqual([
      'broken',
      'behind it',
    ]);
  });

  test('gets to every card, though more than a turn takes are never answered', async () => {
    const it = world();
    const queue = it.open();
    for (const [at, key] of ['a', 'b', 'c', 'd', 'e', 'f', 'g'].entries())
      it.rows.set(key, wishOf(key, { at, code: key }));
    for (const key of ['a', 'b', 'c', 'd', 'e']) it.broken.add(key);
    await queue.drain();
    expect(it.order).toEqual([]);
    await queue.drain();
    expect(it.order).toEqual(['f', 'g']);
    // What is answered again is not kept waiting by those that are not.
    it.broken.delete('c');
    await queue.drain();
    await queue.drain();
    expect(it.order).toEqual(['f', 'g', 'c']);
  });

  test('asks again for what was refused as for another wish, since a key is answered as it was', async () => {
    const it = world();
    const queue = it.open();
    it.faults.push('refused');
    await queue.add(wishOf('one', { data: { amount: 5 } }));
    expect((await queue.askAgain('one')).state).toBe('done');
    expect(it.order).toHaveLength(1);
    expect(await queue.all()).toEqual([]);
  });

  test.each([
    ['may wait', true, 'kept'],
    ['must not wait', false, 'unsure'],
  ])(
    'asks for nothing to be entered anew that is written: what %s is %s where the browser fails then',
    async (_, mayWait, state) => {
      const it = world();
      const disk = diskStore(it.rows, () => true);
      const all = () => (it.rows.size === 0 ? disk.all() : Promise.reject(new Error('no disk')));
      const platform = { find: async () => 'a', execute: async () => executed };
      const queue = createQueue({ store: { ...disk, all }, platform, now: () => 1 });
      expect(await queue.add(wishOf('one', { mayWait }))).toEqual({ state });
    },
  );

  test('says what became of a wish that an earlier turn has taken along', async () => {
    const it = world();
    const disk = diskStore(it.rows, () => true);
    let answer = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const execute = async ({ key }: Wish) => {
      if (key === 'kept') await isAnswered;
      return { ...executed, operation_id: `of ${key}` };
    };
    const queue = createQueue({
      store: disk,
      platform: { find: async () => 'a', execute },
      now: () => 1,
    });
    it.rows.set('kept', wishOf('kept'));
    const turn = queue.drain();
    const outcome = queue.add(wishOf('new', { at: 1 }));
    // It is written by then, so that the turn that is under way takes it along.
    await new Promise((resolve) => setImmediate(resolve));
    answer();
    await turn;
    expect(await outcome).toMatchObject({ state: 'done', executed: { operation_id: 'of new' } });
  });

  test('keeps what was refused before the eyes of a person, with the reason, until it is dealt with', async () => {
    const it = world();
    const queue = it.open();
    it.faults.push('refused');
    const { state } = await queue.add(wishOf('one'));
    expect(state).toBe('refused');
    await queue.drain();
    const [kept] = needsLook(await queue.all(), it.now);
    expect(kept?.problem?.code).toBe('FORBIDDEN');
    await queue.dismiss('one');
    expect(await queue.all()).toEqual([]);
  });

  test('goes on with later cards after a refusal, and waits after a lost answer', async () => {
    const it = world();
    const queue = it.open();
    it.faults.push('request lost', 'refused', 'none');
    await queue.add(wishOf('one', { at: 1 }));
    await queue.add(wishOf('two', { at: 2 }));
    expect(it.order).toEqual(['two']);
    expect(needsLook(await queue.all(), it.now).map(({ key }) => key)).toEqual(['one']);
  });

  test('does not send what is older than the platform remembers', () => {
    const old = wishOf('old', { at: 0 });
    const now = 6 * DAY_MS + 1;
    expect(isTooOld(old, now)).toBe(true);
    expect(nextToSend([old], now)).toBeNull();
    expect(needsLook([old], now)).toEqual([old]);
  });

  test('never changes the pass of a wish under the same key', () => {
    const known = wishOf('one', { passId: 'a' });
    const found = { type: 'found' as const, passId: 'b', now: 0, skewMs: 0 };
    expect(step(known, found)).toMatchObject({ passId: 'a' });
  });

  test('tells when it happened by the clock of the platform, whatever that of the phone says', () => {
    const late = wishOf('late', { at: 1_000_000 });
    const found = { type: 'found' as const, passId: 'a', now: 1_120_000 };
    const ahead = step(late, { ...found, skewMs: -600_000 })!;
    expect(ahead.occurredAt).toBe(400_000);
    // A key is about the same request though the clock is put right meanwhile.
    expect(step(ahead, { ...found, skewMs: 0 })!.occurredAt).toBe(400_000);
  });

  test('tells when it happened of what is sent late, and of what is given to another customer later', async () => {
    const it = world();
    const queue = it.open();
    it.pass(1_000);
    it.faults.push('request lost');
    await queue.add(wishOf('at once', { at: it.now }));
    it.rows.set('kept', wishOf('kept', { at: it.now }));
    it.pass(10 * 60_000);
    await queue.drain();
    await queue.add(wishOf('must not wait', { at: 1_000, mayWait: false }));
    expect(it.told.get('at once')).toEqual(new Set([undefined]));
    expect(it.told.get('kept')).toEqual(new Set([1_000]));
    expect(it.told.get('must not wait')).toEqual(new Set([undefined]));
    it.rows.set('wrong card', wishOf('wrong card', { at: 1_000, state: 'refused' }));
    await queue.give('wrong card', { code: 'b', name: null, passId: 'b' }, 'right card');
    expect(it.told.get('right card')).toEqual(new Set([1_000]));
    it.pass(4 * DAY_MS);
    await queue.add(wishOf('points of long ago', { at: 1_000 }));
    expect(it.told.get('points of long ago')).toEqual(new Set([undefined]));
  });

  test('dates a purchase by the clock of the platform, once and for good, and by what staff entered before all', () => {
    const wish = wishOf('old', { at: DAY_MS, isPurchase: true, data: { amount: 5 } });
    const found = { type: 'found' as const, passId: 'a', now: DAY_MS + 3 };
    const dated = step(wish, { ...found, skewMs: -600_000 })!;
    const data = { amount: 5, transaction_timestamp: '1970-01-01T23:50:00.000Z' };
    expect(dated).toMatchObject({ data });
    expect(dated.occurredAt).toBeUndefined();
    // A key is about the same request though the clock is put right meanwhile.
    expect(step(dated, { ...found, skewMs: 0 })!.data).toEqual(data);
    const entered = { transaction_timestamp: '1970-01-02T12:00:00.000Z' };
    expect(step({ ...wish, data: entered }, { ...found, skewMs: 0 })!.data).toEqual(entered);
    expect(step({ ...wish, mayWait: false }, { ...found, skewMs: 0 })!.data).toEqual({ amount: 5 });
  });

  test.each([
    ['at once', 3],
    ['after a day', DAY_MS],
    ['after four days', 4 * DAY_MS],
  ])(
    'books a purchase on its day though its first try, %s, was lost and the next came after 72 hours',
    async (_, ms) => {
      const it = world();
      const queue = it.open();
      it.rows.set('sale', wishOf('sale', { at: 1_000, passId: 'a', isPurchase: true }));
      it.pass(1_000 + ms);
      it.faults.push('request lost');
      await queue.drain();
      it.pass(DAY_MS);
      await queue.drain();
      expect(it.order).toEqual(['sale']);
      expect(it.told.get('sale')).toEqual(new Set(['1970-01-01T00:00:01.000Z']));
    },
  );

  test('dates a purchase of long ago that is given to another customer as it was', async () => {
    const it = world();
    const queue = it.open();
    it.faults.push('refused');
    it.rows.set('wrong card', wishOf('wrong card', { at: 1_000, isPurchase: true }));
    it.pass(4 * DAY_MS);
    await queue.drain();
    await queue.give('wrong card', { code: 'b', name: null, passId: 'b' }, 'right card');
    expect(it.told.get('right card')).toEqual(new Set(['1970-01-01T00:00:01.000Z']));
  });

  test('gives what was refused to another customer, as it was wished, and once', async () => {
    const it = world();
    const queue = it.open();
    it.faults.push('refused');
    await queue.add(wishOf('one', { passId: 'a', data: { amount: 12.8 } }));
    const whose = { code: 'other', name: 'Bo', passId: 'b' };
    it.faults.push('request lost');
    expect(await queue.give('one', whose, 'two')).toEqual({ state: 'kept' });
    expect(await queue.give('one', whose, 'three')).toBeNull();
    expect(await queue.all()).toEqual([
      expect.objectContaining({ key: 'two', passId: 'b', name: 'Bo', data: { amount: 12.8 } }),
    ]);
    await queue.drain();
    expect(it.order).toEqual(['two']);
  });

  test('takes back what was never sent, and nothing that may have been', async () => {
    const it = world();
    const queue = it.open();
    it.rows.set('kept', wishOf('kept'));
    it.rows.set('sent', wishOf('sent', { passId: 'a' }));
    expect(await queue.withdraw('kept')).toBe(true);
    expect(await queue.withdraw('sent')).toBe(false);
    expect([...it.rows.keys()]).toEqual(['sent']);
  });

  test('gives nothing to another customer that may have been done', async () => {
    const it = world();
    const queue = it.open();
    it.faults.push('reply lost');
    await queue.add(wishOf('redeem', { mayWait: false }));
    expect(await queue.give('redeem', { code: 'b', name: null, passId: 'b' }, 'two')).toBeNull();
  });

  test('is bounded, and says so before anything is taken', async () => {
    const it = world();
    for (let index = 0; index < WISHES_MAX; index += 1) it.rows.set(`${index}`, wishOf(`${index}`));
    await expect(it.open().add(wishOf('one more'))).rejects.toThrow(QueueFull);
  });
});
