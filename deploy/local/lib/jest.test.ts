import fc from 'fast-check';
import { suiteIn } from './jest.mjs';

const suiteThatFailedWith = (message: string) =>
  suiteIn({
    name: 'some.test.ts',
    status: 'failed',
    assertionResults: [{ fullName: 'holds', status: 'failed', failureMessages: [message] }],
    startTime: 0,
    endTime: 1_500,
  });

test('a property that fails on an example is known from a test that fails in a bad moment', () => {
  let said = '';
  try {
    fc.assert(fc.property(fc.nat(), (number) => number < 0));
  } catch (error) {
    said = String(error);
  }
  expect(suiteThatFailedWith(said)).toMatchObject({ hasExample: true, seconds: 1.5 });
  expect(suiteThatFailedWith('Expected: < 50\nReceived: 57')).toMatchObject({
    hasExample: false,
    failures: ['some.test.ts: holds'],
  });
});
