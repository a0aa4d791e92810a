import { silentLogger } from '@laurel/testing';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { createSettler, type RetryPolicy } from './settle';

/** A channel that notes what is asked of it; the broker confirms a copy when the test says so. */
function fakeChannel() {
  const asked: string[] = [];
  const confirms: ((error: Error | null) => void)[] = [];
  const channel = {
    assertQueue: async () => undefined,
    sendToQueue: (queue: string, _content: Buffer, _how: object, confirm: () => void) => {
      asked.push(`copy to ${queue}`);
      confirms.push(confirm);
    },
    ack: () => void asked.push('acknowledge'),
    nack: () => void asked.push('give back'),
  } as unknown as ConfirmChannel;
  return { asked, confirms, channel };
}

const POLICY = { maxAttempts: 2, retryDelaysMs: [500], newerRetryMs: 700 };
const message = {
  content: Buffer.from('{}'),
  properties: { headers: {}, messageId: 'event' },
} as unknown as ConsumeMessage;
const settle = (more: Partial<RetryPolicy> = {}) => {
  const fake = fakeChannel();
  const settler = createSettler(
    { queue: 'queue', ordered: false },
    { ...POLICY, ...more },
    silentLogger,
  );
  return { ...fake, settler, delivery: { channel: fake.channel, message } };
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
  expect(asked).toEqual(['copy to queue.retry.500', 'acknowledge']);
});

test('a delivery whose copy the broker did not take goes back to its queue', async () => {
  const { asked, confirms, settler, delivery } = settle();
  const settled = settler.failed(delivery, new Error('later'));
  await turn();
  confirms[0]!(new Error('the broker says no'));
  await settled;
  expect(asked).toEqual(['copy to queue.retry.500', 'give back']);
});

test('a delivery whose copy the broker neither takes nor refuses goes back to its queue, so that what waits behind it goes on', async () => {
  const { asked, settler, delivery } = settle({ putAsideMs: 20 });
  await settler.failed(delivery, new Error('later'));
  expect(asked).toEqual(['copy to queue.retry.500', 'give back']);
});
