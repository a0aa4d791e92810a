// A script that imports this before anything else knows --help: it prints the comment at its own head and does nothing.
import { readFileSync } from 'node:fs';

const [, script, ...given] = process.argv;
if (script !== undefined && given.some((each) => each === '--help' || each === '-h')) {
  const lines = readFileSync(script, 'utf8').split('\n');
  const head = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('//')),
  );
  process.stdout.write(`${head.map((line) => line.replace(/^\/\/ ?/, '')).join('\n')}\n`);
  process.exit(0);
}
