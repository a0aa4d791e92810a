import { ConnectionError } from '@laurel/client';
import { Failed, tellFailure } from './failures';
import { createRecorder } from './testing/recorder';

function told(error: unknown, { isJson = false, takesKey = false } = {}) {
  const terminal = createRecorder('');
  const code = tellFailure(terminal, error, { isJson, takesKey });
  return { code, err: terminal.said().err };
}

test.each([
  ['has no words', new AggregateError([]), 'AggregateError'],
  [
    'says less than its cause',
    new TypeError('terminated', { cause: new Error('other side closed') }),
    'terminated: other side closed',
  ],
])('what %s is said all the same', (_, error, words) => {
  expect(told(error)).toEqual({ code: 1, err: `✗ ${words}\n` });
  expect(JSON.parse(told(error, { isJson: true }).err).error.message).toBe(words);
});

test('what a command has said is not said again', () => {
  expect(told(new Failed())).toEqual({ code: 1, err: '' });
});

test('a key is named to repeat by only where the command takes one', () => {
  const lost = new ConnectionError('no network', 'once');
  expect(told(lost, { takesKey: true }).err).toContain('do it again with --key once');
  const without = told(lost);
  expect(without.err).toContain('Whether it happened is unknown.');
  expect(without.err).not.toContain('--key');
});
