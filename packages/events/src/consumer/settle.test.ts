import { isDeepStrictEqual } from 'node:util';
import { platform } from '@laurel/errors';
import type { Logger } from '@laurel/lifecycle';
import { silentLogger, until } from '@laurel/testing';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { Broker } from '../broker/broker';
import { Poison } from '../envelope';
import { messaging } from '../metrics';
import { createSettler, type RetryPolicy } from './settle';

/** A channel that notes what is asked of it; the broker confirms a copy when the test says so. */
function fakeChannel() {
  const asked: string[] = [];
  const copies: Record<string, unknown>[] = [];
  const confirms: ((error: Error | null) => void)[] = [];
  const alarm = { isOn: false, looks: 0 };
  const broker: Pick<Broker, 'copy' | 'isBlocked'> = {
    copy: (queue, _content, { headers }) =>
      new Promise((resolve, reject) => {
        asked.push(`copy to ${queue}`);
        copies.push(headers);
        confirms.push((error) => (error ? reject(error) : resolve()));
      }),
    isBlocked: () => {
      alarm.looks += 1;
      return alarm.isOn;
    },
  };
  const channel = {
    assertQueue: async () => undefined,
    ack: () => void asked.push('acknowledge'),
    nack: (_message: object, all: boolean, again: boolean) =>
      void asked.push(all || !again ? 'lose it' : 'give back'),
  } as unknown as ConfirmChannel;
  return { asked, copies, confirms, alarm, broker, channel };
}

const POLICY = { maxAttempts: 2, retryDelaysMs: [500], newerRetryMs: 700 };
const message = {
  content: Buffer.from('{}'),
  fields: { deliveryTag: 1 },
  properties: { headers: {}, messageId: 'event' },
} as unknown as ConsumeMessage;
const settle = (more: Partial<RetryPolicy> = {}) => {
  const fake = fakeChannel();
  const ending = new AbortController();
  const settler = createSettler(
    { queue: 'queue', ordered: false },
    { ...POLICY, ...more },
    { logger: silentLogger, broker: fake.broker, ending: ending.signal },
  );
  return { ...fake, ending, settler, delivery: { channel: fake.channel, message } };
};
/** Whatever can happen without the broker has happened. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a failed delivery is acknowledged only once the broker has its copy: a crash in between loses nothing', async () => {
  const { asked, confirms, settler, delivery } = settle();
  const settled = settler.failed(delivery, new Error('later'));
  await turn();
  expect(asked).toEqual(['copy to queue.retry.500']);
  confirms[0]!(null);
  await settled;
  await turn();
  expect(asked).toEqual(['copy to queue.retry.500', 'acknowledge']);
});

test('a delivery whose copy the broker did not take goes back to its queue', async () => {
  const { asked, confirms, settler, delivery } = settle();
  const settled = settler.failed(delivery, new Error('later'));
  await turn();
  confirms[0]!(new Error('the broker says no'));
  await settled;
  await turn();
  expect(asked).toEqual(['copy to queue.retry.500', 'give back']);
});

test('a delivery whose copy the broker neither takes nor refuses goes back to its queue, so that what waits behind it goes on', async () => {
  const { asked, settler, delivery } = settle({ putAsideMs: 20 });
  await settler.failed(delivery, new Error('later'));
  expect(asked).toEqual(['copy to queue.retry.500', 'give back']);
});

test('a delivery whose copy meets an alarm of the broker stays in hand until it is over', async () => {
  const { asked, confirms, alarm, settler, delivery } = settle({ putAsideMs: 5 });
  alarm.isOn = true;
  const settled = settler.failed(delivery, new Error('later'));
  await until(() => alarm.looks > 2);
  expect(asked).toEqual(['copy to queue.retry.500']);
  confirms[0]!(null);
  await settled;
  await turn();
  expect(asked).toEqual(['copy to queue.retry.500', 'acknowledge']);
});

test('an alarm keeps no consumer from its end: what is in hand goes back to its queue', async () => {
  const { asked, alarm, ending, settler, delivery } = settle({ putAsideMs: 5 });
  alarm.isOn = true;
  const settled = settler.failed(delivery, new Error('later'));
  ending.abort();
  await settled;
  expect(asked).toEqual(['copy to queue.retry.500', 'give back']);
});

test('an alarm is waited for without an end of the consumer, too, for twenty minutes', async () => {
  const { asked, alarm, broker, channel } = fakeChannel();
  const surroundings = { logger: silentLogger, broker };
  const family = { queue: 'queue', ordered: false };
  const settler = createSettler(family, { ...POLICY, putAsideMs: 5 }, surroundings);
  alarm.isOn = true;
  const now = jest.spyOn(performance, 'now').mockReturnValue(7);
  const settled = settler.failed({ channel, message }, new Error('later'));
  now.mockReturnValue(7 + 20 * 60_000 - 1);
  await until(() => alarm.looks > 2);
  expect(asked).toEqual(['copy to queue.retry.500']);
  now.mockReturnValue(7 + 20 * 60_000);
  await settled;
  now.mockRestore();
  expect(asked).toEqual(['copy to queue.retry.500', 'give back']);
});

describe('a delivery that failed', () => {
  const policy = { maxAttempts: 4, retryDelaysMs: [500, 900], newerRetryMs: 700 };

  /** What was done with it, the headers of its copy, and the delays whose queues were used. */
  async function failed(error: unknown, headers: object = {}) {
    const { asked, copies, confirms, channel, broker } = fakeChannel();
    const settler = createSettler({ queue: 'queue', ordered: false }, policy, {
      logger: silentLogger,
      broker,
    });
    const properties = { headers, messageId: 'event' };
    const delivery = { channel, message: { ...message, properties } as ConsumeMessage };
    const settled = settler.failed(delivery, error);
    await turn();
    confirms[0]!(null);
    await settled;
    await turn();
    expect(asked.slice(1)).toEqual(['acknowledge']);
    return { to: asked[0], headers: copies[0]!, delays: settler.usedDelays() };
  }
  const lost = () => Object.assign(new Error('connection lost'), { name: 'MongoNetworkError' });
  const after = (attempts: number, more: object = {}) => ({
    'x-laurel-attempts': attempts,
    ...more,
  });

  test.each([
    [0, 500],
    [1, 900],
    [2, 900],
  ])('%p times before is tried again after %p further milliseconds', async (before, delay) => {
    expect(await failed(new Error('boom'), after(before))).toEqual({
      to: `copy to queue.retry.${delay}`,
      headers: after(before + 1),
      delays: [delay],
    });
  });

  test('as often as it may is parked, with why and since when', async () => {
    const { to, headers, delays } = await failed(new TypeError('boom'), after(3));
    expect([to, delays]).toEqual(['copy to queue.parked', []]);
    expect(headers).toEqual({
      ...after(4),
      'x-laurel-reason': 'attempts_exhausted',
      'x-laurel-error': 'TypeError: boom',
      'x-laurel-parked-at': expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  test.each([
    ['a service', platform.serviceUnavailable()],
    ['the store', lost()],
  ])(
    'as often as it may, each time because something was away, waits on: %s',
    async (_what, error) => {
      const { to, headers, delays } = await failed(error, after(3));
      expect([to, delays]).toEqual(['copy to queue.retry.900', [900]]);
      expect(headers).toEqual(after(4, { 'x-laurel-waiting-since': expect.any(Number) }));
      const since = { 'x-laurel-waiting-since': Date.now() - 86_300_000 };
      expect((await failed(error, after(40, since))).headers).toEqual(after(41, since));
    },
  );

  test('and waited a day for what was away is parked', async () => {
    const since = { 'x-laurel-waiting-since': Date.now() - 86_500_000 };
    const { to, headers } = await failed(lost(), after(40, since));
    expect(to).toBe('copy to queue.parked');
    expect(headers).toMatchObject({ 'x-laurel-reason': 'attempts_exhausted' });
  });

  test('by a fault after it had waited for what was away is parked', async () => {
    const since = { 'x-laurel-waiting-since': Date.now() };
    const { to } = await failed(new TypeError('boom'), after(4, since));
    expect(to).toBe('copy to queue.parked');
  });

  test('with a definite no is parked at once', async () => {
    const { to, headers } = await failed(new Poison('invalid_json', 'no'));
    expect(to).toBe('copy to queue.parked');
    expect(headers).toMatchObject({ ...after(1), 'x-laurel-reason': 'invalid_json' });
  });

  test('as only a newer release knows it waits for that, from then on and at the price of no attempt', async () => {
    const newer = new Poison('unknown_type', 'no');
    const first = await failed(newer, after(2));
    expect(first).toMatchObject({ to: 'copy to queue.retry.700', delays: [700] });
    expect(first.headers).toEqual(after(2, { 'x-laurel-waiting-since': expect.any(Number) }));
    const since = Date.now() - 86_300_000;
    expect((await failed(newer, after(2, { 'x-laurel-waiting-since': since }))).headers).toEqual(
      after(2, { 'x-laurel-waiting-since': since }),
    );
  });

  test.each([
    ['failed', { queue: 'queue' }, new Error('boom')],
    ['newer', { queue: 'queue', reason: 'unknown_type' }, new Poison('unknown_type', 'no')],
    ['parked', { queue: 'queue', reason: 'invalid_json' }, new Poison('invalid_json', 'no')],
  ] as const)('is counted as %s, by %j', async (name, labels, error) => {
    const count = async () => {
      const { values } = await messaging[name].get();
      return values.find((one) => isDeepStrictEqual(one.labels, labels))?.value ?? 0;
    };
    const before = await count();
    await failed(error);
    expect(await count()).toBe(before + 1);
  });

  test('and waited a day for a newer release is parked', async () => {
    const since = { 'x-laurel-waiting-since': Date.now() - 86_500_000 };
    const { to, headers } = await failed(new Poison('unknown_type', 'no'), after(2, since));
    expect(to).toBe('copy to queue.parked');
    expect(headers).toMatchObject({ ...after(3), 'x-laurel-reason': 'unknown_type' });
  });
});

describe('a delivery that came back without an answer', () => {
  /** What was done with it, and the headers of its copy. */
  async function cameBack(headers: object, retryDelaysMs = [500]) {
    const { asked, copies, confirms, channel, broker } = fakeChannel();
    const policy = { ...POLICY, retryDelaysMs };
    const settler = createSettler({ queue: 'queue', ordered: false }, policy, {
      logger: silentLogger,
      broker,
    });
    const properties = { headers, messageId: 'event' };
    const settled = settler.setApart({
      channel,
      message: { ...message, properties } as ConsumeMessage,
    });
    await turn();
    confirms[0]?.(null);
    const isApart = await settled;
    await turn();
    return { isApart, asked, copies };
  }

  test.each([{}, { 'x-delivery-count': 11 }, { 'x-delivery-count': 19, 'x-laurel-set-aside': 3 }])(
    'is handled, and left to the limit of the queue in the end: %j',
    async (headers) => {
      expect(await cameBack(headers)).toEqual({ isApart: false, asked: [], copies: [] });
    },
  );

  test('twelve times waits apart from what it came back with, counted anew, and keeps its attempts and since when it waits', async () => {
    const kept = { 'x-laurel-attempts': 2, 'x-laurel-waiting-since': 1_000 };
    expect(await cameBack({ ...kept, 'x-delivery-count': 12, 'x-laurel-set-aside': 2 })).toEqual({
      isApart: true,
      asked: ['copy to queue.retry.500', 'acknowledge'],
      copies: [{ ...kept, 'x-laurel-set-aside': 3 }],
    });
  });

  test('twelve times is handled where the broker takes no copy of it: what is given back comes nearer to being parked', async () => {
    const { asked, confirms, channel, broker } = fakeChannel();
    const surroundings = { logger: silentLogger, broker };
    const settler = createSettler({ queue: 'queue', ordered: false }, POLICY, surroundings);
    const properties = { headers: { 'x-delivery-count': 12 }, messageId: 'event' };
    const settled = settler.setApart({
      channel,
      message: { ...message, properties } as unknown as ConsumeMessage,
    });
    await turn();
    confirms[0]!(new Error('the broker says no'));
    expect(await settled).toBe(false);
    await turn();
    expect(asked).toEqual(['copy to queue.retry.500']);
  });

  test('twelve times waits for nothing but its turn where it did not wait before', async () => {
    const { copies } = await cameBack({ 'x-delivery-count': 12 });
    expect(copies).toEqual([{ 'x-laurel-attempts': 0, 'x-laurel-set-aside': 1 }]);
  });

  test('waits as long as for a newer release where no time between attempts is short', async () => {
    const { asked } = await cameBack({ 'x-delivery-count': 12 }, [120_001]);
    expect(asked[0]).toBe('copy to queue.retry.700');
  });

  test('comes again at one of several times, within two minutes', async () => {
    const seen = new Set<string | undefined>();
    for (let tries = 0; seen.size < 2 && tries < 1_000; tries += 1)
      seen.add((await cameBack({ 'x-delivery-count': 15 }, [500, 120_000, 600_000])).asked[0]);
    expect([...seen].sort()).toEqual(['copy to queue.retry.120000', 'copy to queue.retry.500']);
  });
});

describe('a reader of the log finds', () => {
  const error = new Error('boom');
  const lines: [object, string][] = [];
  const note = (...line: [object, string]) => void lines.push(line);
  const logger = { debug: note, warn: note, error: note } as unknown as Logger;
  beforeEach(() => {
    lines.length = 0;
  });

  /** What is logged of a delivery whose copy the broker takes, or does not. */
  async function toldOf(failure: unknown, headers: object, refused: Error | null = null) {
    const { confirms, channel, broker } = fakeChannel();
    const settler = createSettler({ queue: 'queue', ordered: false }, POLICY, { logger, broker });
    const properties = { headers, messageId: 'event' };
    const delivery = { channel, message: { ...message, properties } as ConsumeMessage };
    const settled = settler.failed(delivery, failure);
    await turn();
    confirms[0]!(refused);
    await settled;
    await turn();
    return lines;
  }

  test('why an event was parked, which, and after how many attempts', async () => {
    expect(await toldOf(error, { 'x-laurel-attempts': 1 })).toEqual([
      [
        {
          err: error,
          queue: 'queue',
          reason: 'attempts_exhausted',
          attempts: 2,
          event_id: 'event',
        },
        'an event was parked',
      ],
    ]);
  });

  test('what will be tried again, and when', async () => {
    expect(await toldOf(error, {})).toEqual([
      [
        { err: error, queue: 'queue', attempts: 1, retry_in_ms: 500 },
        'an event could not be handled; it will be tried again',
      ],
    ]);
  });

  test('what waits for a newer release', async () => {
    const newer = new Poison('unknown_type', 'no');
    expect(await toldOf(newer, {})).toEqual([
      [
        { err: newer, queue: 'queue', reason: 'unknown_type' },
        'an event waits for a newer release',
      ],
    ]);
  });

  /** What is logged of a delivery that came back too often, whose copy the broker takes or does not. */
  async function toldOfReturned(refused: Error | null) {
    const { confirms, channel, broker } = fakeChannel();
    const settler = createSettler({ queue: 'queue', ordered: false }, POLICY, { logger, broker });
    const properties = { headers: { 'x-delivery-count': 12 }, messageId: 'event' };
    const returned = { ...message, properties } as unknown as ConsumeMessage;
    const settled = settler.setApart({ channel, message: returned });
    await turn();
    confirms[0]!(refused);
    await settled;
    return lines;
  }

  test('what came back too often, and when it comes again', async () => {
    expect(await toldOfReturned(null)).toEqual([
      [
        { queue: 'queue', event_id: 'event', retry_in_ms: 500 },
        'an event came back too often without an answer; it will be tried again apart from others',
      ],
    ]);
  });

  test('that the broker did not take what came back too often', async () => {
    const refused = new Error('the broker says no');
    expect(await toldOfReturned(refused)).toEqual([
      [
        { err: refused, queue: 'queue' },
        'an event that came back too often could not be set apart',
      ],
    ]);
  });

  test('how long the broker had to take a copy', async () => {
    const { channel, broker } = fakeChannel();
    const policy = { ...POLICY, putAsideMs: 20 };
    const settler = createSettler({ queue: 'queue', ordered: false }, policy, { logger, broker });
    await settler.failed({ channel, message }, error);
    expect(lines[0]![0]).toMatchObject({
      err: new Error('the broker has not taken it within 20 ms'),
    });
  });

  test('what could not be acknowledged, where they look closely', () => {
    const closed = new Error('the channel is closed');
    const { channel, broker } = fakeChannel();
    channel.ack = () => {
      throw closed;
    };
    const settler = createSettler({ queue: 'queue', ordered: false }, POLICY, { logger, broker });
    settler.done({ channel, message });
    settler.flush(channel);
    expect(lines).toEqual([
      [{ err: closed, queue: 'queue' }, 'deliveries could not be acknowledged'],
    ]);
  });

  test('that the broker did not take what failed', async () => {
    const refused = new Error('the broker says no');
    expect(await toldOf(error, {}, refused)).toEqual([
      [
        { err: refused, queue: 'queue', failed_with: 'Error: boom' },
        'a failed event could not be put aside; the broker delivers it again',
      ],
    ]);
  });
});

test('what is done is acknowledged together with what was done in the same turn, and at once where the channel closes', async () => {
  const { channel } = fakeChannel();
  const acknowledged: [number, boolean | undefined][] = [];
  channel.ack = ({ fields }, upTo) => void acknowledged.push([fields.deliveryTag, upTo]);
  const { settler } = settle();
  const done = (deliveryTag: number) => {
    const fields = { ...message.fields, deliveryTag };
    settler.done({ channel, message: { ...message, fields } });
  };
  done(1);
  done(2);
  await turn();
  expect(acknowledged).toEqual([[2, true]]);
  done(3);
  settler.flush(channel);
  expect(acknowledged).toEqual([
    [2, true],
    [3, true],
  ]);
});

test('what cannot be acknowledged any more is left to the broker, which delivers it again', () => {
  const surroundings = { logger: silentLogger, broker: fakeChannel().broker };
  const settler = createSettler({ queue: 'queue', ordered: false }, POLICY, surroundings);
  const channel = {
    ack: () => {
      throw new Error('the channel is closed');
    },
  } as unknown as ConfirmChannel;
  expect(() => settler.done({ channel, message })).not.toThrow();
});
