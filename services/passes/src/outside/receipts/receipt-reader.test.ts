import { EventEmitter } from 'node:events';
import { Refusal } from '@laurel/errors';
import { createReceiptReader, type Thread } from './receipt-reader';

/** A thread that does what the test says, and remembers what it was given. */
class FakeThread extends EventEmitter implements Thread {
  readonly images: string[] = [];
  ended = false;

  postMessage(image: Uint8Array): void {
    this.images.push(Buffer.from(image).toString());
  }

  recognize(text: string): void {
    this.emit('message', { recognized: { text, confidence: 1 } });
  }

  async terminate(): Promise<void> {
    this.ended = true;
    this.emit('exit', 1);
  }
}

function setUp({ waitingMax = 2, readMsMax = 1_000, idleMs = 5_000 } = {}) {
  const threads: FakeThread[] = [];
  const startThread = () => {
    threads.push(new FakeThread());
    return threads.at(-1)!;
  };
  const reader = createReceiptReader({ waitingMax, readMsMax, idleMs, startThread });
  const read = (image: string, deadlineAt?: number) => reader.read(Buffer.from(image), deadlineAt);
  return { reader, read, threads };
}

const refused = async (reading: Promise<unknown>) => {
  const problem = await reading.catch((error: unknown) => error);
  return problem instanceof Refusal
    ? [problem.httpStatus, problem.retryAfterSeconds]
    : (problem as Error).message;
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('no thread runs before there is an image', () => {
  expect(setUp().threads).toEqual([]);
});

test('images are read one after the other, in one thread, in the order in which they came', async () => {
  const { read, threads } = setUp();
  const readings = [read('a'), read('b'), read('c')];
  expect(threads[0]!.images).toEqual(['a']);
  for (const text of ['A', 'B', 'C']) threads[0]!.recognize(text);
  expect((await Promise.all(readings)).map(({ text }) => text)).toEqual(['A', 'B', 'C']);
  expect(threads).toHaveLength(1);
});

test('more than may wait are refused at once, to be sent again', async () => {
  const { read, threads } = setUp({ waitingMax: 1 });
  const readings = [read('a'), read('b')];
  expect(await refused(read('c'))).toEqual([503, 10]);
  threads[0]!.recognize('A');
  threads[0]!.recognize('B');
  expect(await Promise.all(readings)).toHaveLength(2);
});

test('what takes too long is given up with its thread, and the next is read in a new one', async () => {
  const { read, threads } = setUp({ readMsMax: 1_000 });
  const [slow, next] = [refused(read('slow')), read('next')];
  jest.advanceTimersByTime(1_000);
  expect(await slow).toEqual([503, 10]);
  expect(threads.map(({ ended }) => ended)).toEqual([true, false]);
  threads[0]!.recognize('too late');
  threads[1]!.recognize('NEXT');
  expect((await next).text).toBe('NEXT');
});

test('a thread that dies takes one image with it', async () => {
  const { read, threads } = setUp();
  const [lost, next] = [refused(read('lost')), read('next')];
  threads[0]!.emit('error', new Error('out of memory'));
  expect(await lost).toBe('out of memory');
  expect(threads[1]!.images).toEqual(['next']);
  const ended = refused(read('ended'));
  threads[1]!.recognize('NEXT');
  expect((await next).text).toBe('NEXT');
  threads[1]!.emit('exit', 1);
  expect(await ended).toBe('the thread that reads receipts ended');
});

test('an image that cannot be read fails alone', async () => {
  const { read, threads } = setUp();
  const [bad, good] = [refused(read('bad')), read('good')];
  threads[0]!.emit('message', { problem: 'no image' });
  expect(await bad).toBe('no image');
  threads[0]!.recognize('GOOD');
  expect((await good).text).toBe('GOOD');
  expect(threads).toHaveLength(1);
});

test('what its caller does not wait for any more is not read', async () => {
  const { read, threads } = setUp();
  const first = read('a');
  const stale = refused(read('stale', Date.now() + 500));
  jest.setSystemTime(Date.now() + 600);
  threads[0]!.recognize('A');
  await first;
  expect(await stale).toEqual([503, 10]);
  expect(threads[0]!.images).toEqual(['a']);
});

test('the thread is given back when there is nothing to do, and started again when there is', async () => {
  const { read, threads } = setUp({ idleMs: 5_000 });
  const first = read('a');
  threads[0]!.recognize('A');
  await first;
  jest.advanceTimersByTime(4_000);
  const second = read('b');
  threads[0]!.recognize('B');
  await second;
  jest.advanceTimersByTime(4_999);
  expect(threads[0]!.ended).toBe(false);
  jest.advanceTimersByTime(1);
  expect(threads[0]!.ended).toBe(true);
  const third = read('c');
  threads[1]!.recognize('C');
  expect((await third).text).toBe('C');
});

test('stopping refuses what is left and ends the thread', async () => {
  const { reader, read, threads } = setUp();
  const readings = [refused(read('a')), refused(read('b'))];
  reader.stop();
  expect(await Promise.all(readings)).toEqual([
    [503, 10],
    [503, 10],
  ]);
  expect(threads[0]!.ended).toBe(true);
});
