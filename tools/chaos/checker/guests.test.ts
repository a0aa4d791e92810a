import { forgottenIn } from './guests.mjs';

test('a person is forgotten where an answer says so, or the repeat of a deletion is answered 404; a first 404 says nothing', () => {
  const forget = (of: string, outcome: string, status: number, attempts: number) => ({
    kind: 'forget',
    of,
    outcome,
    status,
    attempts,
  });
  const history = [
    forget('answered', 'ok', 200, 1),
    forget('lost answer', 'fail', 404, 2),
    forget('never there', 'fail', 404, 1),
    forget('refused', 'fail', 409, 2),
    forget('open', 'unknown', 0, 3),
    { ...forget('another', 'ok', 200, 1), kind: 'visit' },
  ];
  expect(forgottenIn({ history } as never)).toEqual(new Set(['answered', 'lost answer']));
});
