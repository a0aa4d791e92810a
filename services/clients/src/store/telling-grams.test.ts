import { createTellingGrams } from './telling-grams';

const pairsOf = (text: string) => Array.from(text.slice(1), (_, at) => text.slice(at, at + 2));

test('puts what few of the newest texts have before what many have, and asks for them once for a workspace', async () => {
  const newest = jest.fn(async () => ['xxab', 'yyab', 'zzab', 'xxcd', 'yycd', 'zzcd', 'xxab']);
  const telling = createTellingGrams(newest, pairsOf);
  expect(await telling('w1', ['ab', 'cd', 'qq'])).toEqual(['qq', 'cd', 'ab']);
  expect(await telling('w1', ['xx', 'ab'])).toEqual(['xx', 'ab']);
  expect(newest).toHaveBeenCalledTimes(1);
  await telling('w2', ['ab']);
  expect(newest).toHaveBeenCalledTimes(2);
});

test('leaves the order as it is where nothing is known', async () => {
  const telling = createTellingGrams(async () => [], pairsOf);
  expect(await telling('w1', ['ab', 'aa', 'cd'])).toEqual(['ab', 'aa', 'cd']);
});
