import { until } from '@laurel/testing';
import { Harness } from '../testing/harness';
import { createBroadcast } from './broadcast';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

test('a wake-up reaches every other process of the service, and not the one that sent it', async () => {
  const brokers = [harness.broker, await harness.anotherBroker(), await harness.anotherBroker()];
  const casts = brokers.map((broker) => createBroadcast(broker));
  await Promise.all(casts.map((cast) => cast.opened()));
  const heard: string[][] = casts.map(() => []);
  for (const [position, cast] of casts.entries())
    cast.listen((topic) => heard[position]!.push(topic));
  casts[0]!.send('test.first');
  await until(() => heard[1]!.length === 1 && heard[2]!.length === 1);
  casts[1]!.send('test.second');
  await until(() => heard[0]!.length === 1);
  expect(heard).toEqual([['test.second'], ['test.first'], ['test.first', 'test.second']]);
});
