import { createTally } from './answers.mjs';

const answer = (status: number, more = {}) => ({
  status,
  body: { errors: [{ message: 'why' }] },
  retryAfterMs: null,
  replayed: false,
  keptRunning: false,
  ...more,
});

test('what says when to ask again is declared; an answer is an answer, also where it is a no', () => {
  const tally = createTally();
  tally.note(answer(201), null);
  tally.note(answer(409), 'ledger');
  tally.note(answer(503, { retryAfterMs: 5_000 }), 'ledger');
  tally.note(answer(409, { retryAfterMs: 1_000, keptRunning: true }), 'ledger');
  const { answered, declared, findings } = tally.result();
  expect(answered).toBe(2);
  expect([...declared.values()]).toEqual([1, 1]);
  expect([...findings]).toEqual([]);
});

test.each([
  ['a fault', answer(500)],
  ['no answer at all', answer(0, { body: 'ECONNRESET' })],
  ['a 503 that does not say when', answer(503)],
  ['somebody who is no longer known', answer(401)],
  ['somebody who may no longer', answer(403)],
])('%s is a finding, and it is said what was being replaced', (_, found) => {
  const tally = createTally();
  tally.note(found, 'passes');
  const { answered, findings } = tally.result();
  expect(answered).toBe(0);
  expect([...findings.keys()][0]).toMatch(/^\d+ while passes was replaced: \w/);
});
