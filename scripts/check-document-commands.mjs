// The commands that the documents tell somebody to type: each exists, with the words behind it. Those that can be run beside a
// running platform are, in e2e/document-commands.test.ts.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../deploy/local/lib/paths.mjs';

const FOLDERS = ['docs/runbooks'];
const FILES = ['backup', 'scaling', 'slo', 'upgrade'].map((name) => `docs/${name}.md`);
/** Programs of others that an operator of Laurel has, and a word of the shell. */
const OF_OTHERS = new Set([
  'cosign',
  'curl',
  'docker',
  'export',
  'git',
  'helm',
  'kubectl',
  'mongodump',
  'mongorestore',
  'mongosh',
  'npx',
  'rabbitmqctl',
  'redis-cli',
]);

/**
 * The lines of the blocks marked `sh`, continued ones in one piece.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function commandsIn(text) {
  return [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
}

/**
 * What is wrong with a command, or null.
 *
 * @param {string} command
 * @param {Record<string, string>} scripts of package.json
 * @param {(file: string) => string | null} read a file of the repository
 * @returns {string | null}
 */
export function commandProblem(command, scripts, read) {
  const words = command.split(/\s+/).filter((word) => !/^[A-Z_]+=/.test(word));
  const [program = '', ...rest] = words;
  const missing = rest
    .filter((word) => /^(deploy|scripts|k8s|docs|tools)\//.test(word))
    .find((word) => read(word) === null);
  if (missing) return `${command}: ${missing} does not exist`;
  if (program === 'npm') return npmProblem(command, rest, scripts, read);
  if (program === 'node' || OF_OTHERS.has(program)) return null;
  return `${command}: nobody knows ${program}`;
}

/** @type {(command: string, rest: string[], scripts: Record<string, string>, read: (file: string) => string | null) => string | null} */
function npmProblem(command, rest, scripts, read) {
  const [verb, ...more] = rest;
  const name = verb === 'run' ? more[0] : verb;
  const script = scripts[name ?? ''];
  if (!script) return `${command}: package.json has no script ${name}`;
  const source = read(script.split(' ').find((word) => word.endsWith('.mjs')) ?? '') ?? '';
  const asked = rest.slice(rest.indexOf('--') + 1).filter(() => rest.includes('--'));
  // A sub-command or an option stands in what --help prints, or in the parser of arguments.
  const unknown = asked
    .filter(
      (word) => /^(--)?[a-z][a-z-]*$/.test(word) && (word.startsWith('--') || word === asked[0]),
    )
    .find((word) => !source.includes(word.replace(/^--/, '')));
  return unknown ? `${command}: ${script} knows no ${unknown}` : null;
}

/** @returns {string[]} */
function documents() {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder)).map((file) => `${folder}/${file}`),
  );
  return [...FILES, ...below].filter((file) => existsSync(path.join(ROOT, file)));
}

/**
 * Each command of the documents, once.
 *
 * @returns {string[]}
 */
export const documentedCommands = () => [
  ...new Set(
    documents().flatMap((file) => commandsIn(readFileSync(path.join(ROOT, file), 'utf8'))),
  ),
];

/** Fails with the commands that would not work. */
export async function checkDocumentedCommands() {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const read = (/** @type {string} */ file) => {
    const place = path.join(ROOT, file);
    if (!existsSync(place)) return null;
    return file.endsWith('.mjs') ? readFileSync(place, 'utf8') : '';
  };
  const problems = documents().flatMap((file) =>
    commandsIn(readFileSync(path.join(ROOT, file), 'utf8')).flatMap((command) => {
      const problem = commandProblem(command, scripts, read);
      return problem ? [`${file}: ${problem}`] : [];
    }),
  );
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
