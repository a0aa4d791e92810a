import { Waiting } from './waiting';

interface One {
  key: string;
  text: string;
}
let waiting: Waiting<One>;
beforeEach(() => {
  waiting = new Waiting<One>(({ key }) => key);
});
const add = (count: number, text = '') => {
  const from = waiting.size;
  const come = Array.from({ length: count }, (_, at) => ({ key: `${from + at}`, text }));
  waiting.add(come);
  return come;
};
/** As large as what a caller may send along. */
const LARGE = 'ł'.repeat(20_000);

test('small ones wait by thousands, and no more than five of these', () => {
  add(4_999);
  expect(waiting.hasRoom()).toBe(true);
  add(1);
  expect(waiting.hasRoom()).toBe(false);
});

test('large ones fill the room long before that', () => {
  while (waiting.hasRoom() && waiting.size < 5_000) add(1, LARGE);
  expect(waiting.size).toBeLessThan(700);
});

test('what is taken makes room, and so does what is dropped', () => {
  add(250);
  const large = add(1_000, LARGE);
  expect(waiting.hasRoom()).toBe(false);
  expect(waiting.take(large)).toEqual(large);
  expect(waiting.hasRoom()).toBe(true);
  add(1_000, LARGE);
  waiting.clear();
  expect([waiting.hasRoom(), waiting.size]).toEqual([true, 0]);
});

test('one that comes again counts once', () => {
  add(250);
  const [large] = add(1, LARGE);
  for (let time = 0; time < 1_000; time += 1) waiting.add([large!]);
  expect(waiting.hasRoom()).toBe(true);
  expect(waiting.all().at(-1)).toBe(large);
});

test('few are not weighed, so that who is rid of them quickly spends nothing on it', () => {
  const unread = {
    key: 'a',
    toJSON: () => {
      throw new Error('weighed');
    },
  };
  const rest = new Waiting<{ key: string }>(({ key }) => key);
  rest.add([unread]);
  expect(rest.all()).toEqual([unread]);
});
