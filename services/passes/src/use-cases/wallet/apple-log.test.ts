import { createLogger } from '@laurel/lifecycle';
import { logAppleErrors } from './apple-devices';

test('of what devices complain the log takes a bounded sample, however much they send', async () => {
  let written = '';
  const logger = createLogger('passes', 'warn', {
    write: (line: string) => {
      written += line;
    },
  });
  const messages = Array.from({ length: 100 }, () => 'x'.repeat(10_000));
  for (let call = 0; call < 60; call += 1) await logAppleErrors({ logger }, { messages });
  expect(written.length).toBeGreaterThan(500);
  // 60 lines of 500 characters, and as many again where a minute ends in between.
  expect(written.length).toBeLessThan(2 * 60 * 1_000);
});
