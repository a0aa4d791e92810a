import { accountOf, isBoundTo, type Standing, whyNot } from './sandbox';

const NOW = new Date('2026-01-01T12:00:00Z');
const daysLater = (days: number): Date => new Date(NOW.getTime() + days * 86_400_000);
const standing = (over: Partial<Standing> = {}): Standing => ({
  busy: [],
  sent: [],
  queues: [],
  ...over,
});
const of = (type: string, count: number) => [{ type, count }];
const queue = (name: string, bindings: string[], handled = of('', 0).slice(1)) => ({
  name,
  bindings,
  handled,
});

test.each([
  [daysLater(0), 'backward'],
  [daysLater(-1), 'backward'],
  [daysLater(1), null],
  [daysLater(731), null],
  [daysLater(732), 'too far'],
])('from now to %s: %s', (to, expected) => {
  expect(whyNot(NOW, to)).toBe(expected);
});

test.each([
  ['#', 'loyalty.points_earned', true],
  ['custom.#', 'custom.birthday.today', true],
  ['custom.#', 'custom', true],
  ['custom.*', 'custom.birthday.today', false],
  ['*.points_earned', 'loyalty.points_earned', true],
  ['clients.deleted', 'clients.merged', false],
])('%s takes %s: %s', (pattern, type, expected) => {
  expect(isBoundTo(pattern, type)).toBe(expected);
});

test('a queue that has handled less than all services together have sent is waited for', () => {
  const account = accountOf([
    { service: 'a', standing: standing({ sent: of('x.y', 2) }) },
    { service: 'b', standing: standing({ sent: of('x.y', 1) }) },
    {
      service: 'c',
      standing: standing({
        queues: [
          queue('c.behind', ['x.*'], of('x.y', 2)),
          queue('c.done', ['x.*'], of('x.y', 3)),
          queue('c.others', ['z.*']),
        ],
      }),
    },
  ]);
  expect(account.waitsFor).toEqual(['c.behind']);
});

test('work in hand and a service that gives no answer are waited for', () => {
  const account = accountOf([
    { service: 'a', standing: standing({ busy: ['settle'] }) },
    { service: 'b', standing: null },
  ]);
  expect(account.waitsFor).toEqual(['a.settle', 'b']);
});

test('what is due next is the earliest of all, and the figures tell when something was sent in between', () => {
  const at = (days: number) => daysLater(days).toISOString();
  const one = { service: 'a', standing: standing({ next_due_at: at(3), sent: of('x', 1) }) };
  const other = { service: 'b', standing: standing({ next_due_at: at(2), sent: of('y', 1) }) };
  const account = accountOf([one, other]);
  expect(account.nextDueAt).toEqual(daysLater(2));
  expect(accountOf([other, one]).figures).toBe(account.figures);
  const more = { service: 'b', standing: standing({ sent: of('y', 2) }) };
  expect(accountOf([one, more]).figures).not.toBe(account.figures);
});
