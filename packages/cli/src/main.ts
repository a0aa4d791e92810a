import { homedir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { EXIT } from './exit-codes';
import { UsageError } from './failures';
import { run } from './program';
import type { Terminal } from './terminal';

const { env, stdin, stdout, stderr } = process;
/** As a shell names an end by Ctrl-C. */
const INTERRUPTED = 130;
const interrupting = new AbortController();
/** Whether the command ends by itself when it is asked to; others are just ended, and so is who is asked twice. */
let isHeeded = false;
/** Whether what is said must be read, and what of it is said at the latest when the program is ended. */
let isVital = false;
let lastWords: (() => void) | undefined;
let isLeaving = false;
/** Standard output is closed, or its disk is full. */
let isGone = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (!isHeeded || interrupting.signal.aborted) leave();
    else interrupting.abort();
  });

function leave(): void {
  if (!lastWords || isLeaving) process.exit(INTERRUPTED);
  isLeaving = true;
  lastWords();
  // Once they are written.
  (isGone ? stderr : stdout).write('', () => process.exit(INTERRUPTED));
}

stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // Who reads has seen enough: `laurel tail | head -1`. A full disk has not, nor has who is shown what is shown once.
  if (code === 'EPIPE' && !isVital) process.exit(EXIT.done);
  if (!isGone) stderr.write(`✗ standard output: ${message}\n`);
  if (!lastWords) process.exit(EXIT.refused);
  isGone = true;
  process.exitCode = EXIT.refused;
  interrupting.abort();
});

const terminal: Terminal = {
  out(piece) {
    if (isGone) stderr.write(piece);
    else
      stdout.write(piece, (error) => {
        if (error && lastWords) stderr.write(piece);
      });
  },
  err: (text) => void stderr.write(text),
  isTty: stderr.isTTY === true,
  env,
  configFolder:
    env.LAUREL_CONFIG ??
    path.join(env.XDG_CONFIG_HOME ?? path.join(homedir(), '.config'), 'laurel'),
  get interrupted() {
    isHeeded = true;
    return interrupting.signal;
  },

  mustBeHeard(words) {
    isVital = true;
    lastWords = words;
  },

  async readInput() {
    const pieces: Buffer[] = [];
    for await (const piece of stdin) pieces.push(piece);
    return Buffer.concat(pieces);
  },

  async ask(question, { isHidden = false } = {}) {
    if (!stdin.isTTY) throw new UsageError(`${question.replace(/: $/, '')} is missing`);
    stderr.write(question);
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({
      input: stdin,
      output: isHidden ? silent : stderr,
      terminal: true,
    });
    lines.on('SIGINT', () => process.exit(INTERRUPTED));
    try {
      return await lines.question('');
    } finally {
      lines.close();
      if (isHidden) stderr.write('\n');
    }
  },
};

void run(terminal, process.argv.slice(2)).then((code) => {
  process.exitCode = isGone ? code || EXIT.refused : code;
});
