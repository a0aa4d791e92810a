import { createKeptAnswers } from './kept-answers';

/** Answers that each take so long by a clock which the test turns. */
function answers(tookMs: number) {
  const clock = { at: 0, asked: 0 };
  const kept = createKeptAnswers(
    async () => {
      clock.asked += 1;
      clock.at += tookMs;
      return clock.asked;
    },
    () => clock.at,
  );
  return { clock, of: () => kept.of('key') };
}

test('an answer is kept a hundred times as long as it took', async () => {
  const { clock, of } = answers(10);
  await of();
  clock.at += 980;
  expect(await of()).toBe(1);
  clock.at += 20;
  expect(await of()).toBe(2);
});

test('an answer that a process stood still over is asked for again after minutes, not after hours', async () => {
  const { clock, of } = answers(90_000);
  await of();
  clock.at += 600_000;
  expect(await of()).toBe(1);
  expect(clock.asked).toBe(2);
  expect(await of()).toBe(2);
});
