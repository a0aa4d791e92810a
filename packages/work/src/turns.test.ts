import { dueIndex, dueInIndex } from './turns';

const until = new Date(1_000);

test.each([
  ['of a workspace', {}],
  ['of a column of its own', { column: 'take_over_at', by: 'webhook_id', where: { open: true } }],
  ['that may lack the column', { column: 'next_attempt_at', absentIsDue: true as const }],
])(
  'a look for what is due %s asks for what its index begins with, without which MongoDB reads all rows',
  (_, spec) => {
    const [first = ''] = Object.keys(dueIndex(spec).key);
    expect(dueInIndex(spec, until)[first]).toMatchObject({ $gt: '' });
  },
);

test('where an index begins with the time itself, nothing is asked beside it', () => {
  expect(dueInIndex({ leads: true }, until)).toEqual({ due_at: { $exists: true, $lte: until } });
});
