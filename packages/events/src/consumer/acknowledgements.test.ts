import type { ConsumeMessage } from 'amqplib';
import fc from 'fast-check';
import { Acknowledgements } from './acknowledgements';

/** A broker's side of a channel: what it has delivered and has no answer to; an answer for anything else closes it. */
function fakeChannel() {
  const outstanding = new Set<number>();
  const wrong: string[] = [];
  const answers: string[] = [];
  let settled = new Set<number>();
  const take = (tag: number) => {
    if (!settled.has(tag)) wrong.push(`${tag} is still in hand`);
    if (!outstanding.delete(tag)) wrong.push(`${tag} has its answer`);
  };
  return {
    outstanding,
    wrong,
    answers,
    settledAre: (tags: Set<number>) => {
      settled = tags;
    },
    ack({ fields: { deliveryTag } }: ConsumeMessage, all?: boolean) {
      answers.push(all ? `up to ${deliveryTag}` : `${deliveryTag}`);
      if (!outstanding.has(deliveryTag)) wrong.push(`${deliveryTag} is not known`);
      const meant = all ? [...outstanding].filter((tag) => tag <= deliveryTag) : [deliveryTag];
      for (const tag of meant) take(tag);
    },
  };
}
const delivery = (deliveryTag: number) => ({ fields: { deliveryTag } }) as ConsumeMessage;
const fails = (error: unknown) => {
  throw error;
};

test('what is settled in one turn is acknowledged by one answer, in whatever order it was settled', async () => {
  const channel = fakeChannel();
  const acknowledgements = new Acknowledgements(channel, fails);
  for (const tag of [1, 2, 3, 4]) channel.outstanding.add(tag);
  channel.settledAre(new Set([1, 2, 3, 4]));
  for (const tag of [3, 1, 4, 2]) acknowledgements.add(delivery(tag));
  expect(channel.answers).toEqual([]);
  await new Promise(process.nextTick);
  expect(channel.answers).toEqual(['up to 4']);
});

test('a delivery that has another answer keeps none behind it from being acknowledged together', () => {
  const channel = fakeChannel();
  const acknowledgements = new Acknowledgements(channel, fails);
  for (const tag of [2, 3]) channel.outstanding.add(tag);
  channel.settledAre(new Set([2, 3]));
  acknowledgements.skip(delivery(1));
  acknowledgements.add(delivery(2));
  acknowledgements.add(delivery(3));
  acknowledgements.flush();
  expect(channel.answers).toEqual(['up to 3']);
  expect(channel.wrong).toEqual([]);
});

test('what waits behind a delivery in hand is acknowledged by itself, so that a slow one holds up nothing', () => {
  const channel = fakeChannel();
  const acknowledgements = new Acknowledgements(channel, fails);
  for (const tag of [1, 2, 3]) channel.outstanding.add(tag);
  channel.settledAre(new Set([2, 3]));
  acknowledgements.add(delivery(2));
  acknowledgements.add(delivery(3));
  acknowledgements.flush();
  expect(channel.answers).toEqual(['2', '3']);
  channel.settledAre(new Set([1, 2, 3, 4]));
  channel.outstanding.add(4);
  acknowledgements.add(delivery(1));
  acknowledgements.add(delivery(4));
  acknowledgements.flush();
  expect(channel.answers).toEqual(['2', '3', 'up to 4']);
  expect(channel.wrong).toEqual([]);
});

test('in any order of deliveries, acknowledgements and other answers each delivery is answered once, and none that is in hand', () => {
  const step = fc.record({ delivered: fc.nat(4), settles: fc.array(fc.nat(20)), skips: fc.nat(9) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const channel = fakeChannel();
      const acknowledgements = new Acknowledgements(channel, fails);
      const inHand: number[] = [];
      const settled = new Set<number>();
      channel.settledAre(settled);
      let latest = 0;
      const settle = (place: number, skipped: boolean) => {
        const [tag] = inHand.splice(place % inHand.length, 1);
        if (tag === undefined) return;
        settled.add(tag);
        if (!skipped) return acknowledgements.add(delivery(tag));
        acknowledgements.skip(delivery(tag));
        channel.outstanding.delete(tag);
      };
      for (const { delivered, settles, skips } of steps) {
        for (let count = 0; count < delivered; count += 1) {
          latest += 1;
          channel.outstanding.add(latest);
          inHand.push(latest);
        }
        for (const [index, place] of settles.entries()) settle(place, index < skips - 6);
        acknowledgements.flush();
        expect([...channel.outstanding].sort()).toEqual([...inHand].sort());
      }
      expect(channel.wrong).toEqual([]);
    }),
  );
});

test('a channel that is gone acknowledges nothing, and its user goes on', () => {
  const gone: unknown[] = [];
  const ack = () => fails(new Error('Channel closed'));
  const acknowledgements = new Acknowledgements({ ack }, (error) => gone.push(error));
  acknowledgements.add(delivery(1));
  acknowledgements.flush();
  expect(gone).toEqual([new Error('Channel closed')]);
});
