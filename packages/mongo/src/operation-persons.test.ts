import { personsIn, withoutPersons } from './operation-persons';

const CLIENT = {
  id: 'c-1',
  first_name: 'Ada',
  email: null,
  custom_fields: { city: 'Berlin' },
  status: 'active',
};

test.each([
  ['a client', CLIENT, ['c-1']],
  ['a client in an envelope', { client: CLIENT, replayed: false }, ['c-1']],
  ['a client of whom nothing is known', { ...CLIENT, first_name: null, custom_fields: {} }, []],
  ['a pass', { id: 'p-1', client_id: 'c-2', pass_fields: { name: 'Ada' } }, ['c-2']],
  [
    'entries of two',
    [
      { client_id: 'a', description: 'x' },
      { client_id: 'b', metadata: { x: 1 } },
    ],
    ['a', 'b'],
  ],
  ['ids alone', { client_id: 'c-1', amount: 5, metadata: {} }, []],
  ['a reward', { id: 'r-1', description: 'Free coffee', created_at: new Date(0) }, []],
  ['nothing', null, []],
])('of %s the persons are known', (_, answer, persons) => {
  expect(personsIn(answer)).toEqual(persons);
});

test('an answer loses who a client is and keeps all else, at any depth', () => {
  const at = new Date(0);
  const answer = { created: [{ ...CLIENT, at }], total: 1 };
  const left = { ...CLIENT, first_name: null, custom_fields: {}, at };
  expect(withoutPersons(answer)).toEqual({ created: [left], total: 1 });
  expect(personsIn(withoutPersons(answer))).toEqual([]);
});
