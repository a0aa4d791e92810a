import { Seen } from './seen';

const NAMES = 50_000;

test('each of many names is new once, however far the table has grown', () => {
  const seen = new Seen();
  const names = Array.from({ length: NAMES }, (_, number) => `entry ${number}`);
  expect(names.filter((name) => !seen.add(name))).toEqual([]);
  expect(names.filter((name) => seen.add(name))).toEqual([]);
});
