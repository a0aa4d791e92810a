import { CircuitOpen } from '../../outside/circuits';
import { NotTrusted, OtherPassType, Pushing } from './push-failures';

const pushingAfter = (...errors: Error[]): Pushing => {
  const pushing = new Pushing();
  for (const error of errors) pushing.note('pass', error);
  return pushing;
};
const reasonAfter = (...errors: Error[]): unknown => pushingAfter(...errors).failures.get('pass');

test('a wallet that nothing can be sent to takes no other try from the one that failed, whichever is heard first', () => {
  const [failed, open] = [new Error('away'), new CircuitOpen('Apple')];
  for (const untold of [new NotTrusted('apple', 'pass.a'), new OtherPassType('pass.a')]) {
    for (const other of [failed, open]) {
      expect(reasonAfter(untold, other)).toBe(other);
      expect(reasonAfter(other, untold)).toBe(other);
    }
    expect(reasonAfter(untold)).toBe(untold);
  }
});

test('what a pass met itself says more than that others have failed', () => {
  const [failed, open] = [new Error('400'), new CircuitOpen('Apple')];
  expect(reasonAfter(open, failed)).toBe(failed);
  expect(reasonAfter(failed, open, new Error('another'))).toBe(failed);
});

test('all credentials that a pass waits for are known, whatever else went wrong with it', () => {
  const [apple, google] = [new NotTrusted('apple', 'pass.a'), new NotTrusted('google', '33')];
  const other = new OtherPassType('pass.b');
  const failed = new Error('400');
  for (const met of [
    [google, apple, other, failed, apple],
    [failed, apple, google, other],
  ])
    expect([...pushingAfter(...met).waitsFor('pass')].sort()).toEqual([
      'apple:pass.a',
      'apple:pass.b',
      'google:33',
    ]);
  expect(pushingAfter(failed).waitsFor('pass')).toEqual([]);
});
