// The page of the command line: what each command prints when it is asked for help.
import { execFileSync } from 'node:child_process';

/** The commands that a help names, below its heading. @param {string} help */
const commandsIn = (help) =>
  [...(/^Commands:\n([\s\S]*?)(\n\n|$)/m.exec(help)?.[1] ?? '').matchAll(/^ {2}([a-z]+)/gm)]
    .map(([, word = '']) => word)
    .filter((word) => word !== 'help');

/** @param {string} program the built command line */
export function commandsPage(program) {
  /** @param {readonly string[]} words @returns {{ words: readonly string[], help: string }[]} */
  const helpsOf = (words) => {
    const help = execFileSync(process.execPath, [program, ...words, '--help'], {
      encoding: 'utf8',
    }).trim();
    return [{ words, help }, ...commandsIn(help).flatMap((word) => helpsOf([...words, word]))];
  };
  const [overview, ...commands] = helpsOf([]);
  return {
    name: 'commands',
    title: 'Command line',
    source: [
      '# Command line',
      '',
      'What `laurel` does, in its own words. It needs Node 20 and nothing else.',
      '',
      `\`\`\`text\n${overview?.help}\n\`\`\``,
      '',
      ...commands.map(
        ({ words, help }) => `## laurel ${words.join(' ')}\n\n\`\`\`text\n${help}\n\`\`\`\n`,
      ),
    ].join('\n'),
  };
}
