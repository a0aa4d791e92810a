import { CircuitOpen } from '../../outside/circuits';
import { NotTrusted, OtherPassType, Pushing } from './push-failures';

const reasonAfter = (...errors: Error[]): unknown => {
  const pushing = new Pushing();
  for (const error of errors) pushing.noteAll(new Map([['pass', error]]));
  return pushing.failures.get('pass');
};

test('a wallet that nothing can be sent to takes no other try from the one that failed, whichever is heard first', () => {
  const [failed, open] = [new Error('away'), new CircuitOpen('Apple')];
  for (const untold of [new NotTrusted('apple', 'no certificate'), new OtherPassType('pass.a')]) {
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
