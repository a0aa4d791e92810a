import { readFileSync } from 'node:fs';

/** With --help or -h, prints the comment at the head of the script that was started, which says what it does, and ends. */
export function helpIfAsked() {
  const [, script, ...given] = process.argv;
  if (script === undefined || !given.some((each) => each === '--help' || each === '-h')) return;
  const lines = readFileSync(script, 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  const head = lines.slice(0, end).map((line) => line.replace(/^\/\/ ?/, ''));
  process.stdout.write(`${head.join('\n')}\n`);
  process.exit(0);
}
