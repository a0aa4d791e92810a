import { startProgress } from './progress';
import { createRecorder } from './testing/recorder';

test('a bar shows how far it is and how fast, and goes away', () => {
  let now = 0;
  const terminal = createRecorder('', { isTty: true });
  const progress = startProgress(terminal, 'importing', () => now);
  now = 2_000;
  progress.show(50, 100);
  expect(terminal.said().err).toContain('importing ████████████░░░░░░░░░░░░ 50/100, 25/s');
  progress.end();
  expect(terminal.said().err.endsWith('\r\u001b[K')).toBe(true);
});

test('a bar is shown only to a person who looks', () => {
  const terminal = createRecorder('');
  const progress = startProgress(terminal, 'importing', () => 0);
  progress.show(50, 100);
  progress.end();
  expect(terminal.said().err).toBe('');
});
