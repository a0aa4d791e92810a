import { Command } from 'commander';
import type { GlobalOptions } from './session';
import type { Terminal } from './terminal';

/** How a command is explained: its words, then one sentence; at least two examples. */
export interface Told {
  /** `find <words>`: as commander takes it. */
  usage: string;
  summary: string;
  examples: readonly string[];
  /** What else is worth knowing. */
  notes?: string;
}

/** A command with its help; its options and action are the caller's to add. */
export function command({ usage, summary, examples, notes }: Told): Command {
  const help = [
    ...(notes === undefined ? [] : [notes, '']),
    'Examples:',
    ...examples.map((example) => `  $ ${example}`),
  ];
  return new Command()
    .command(usage)
    .summary(summary)
    .description(`${summary}.`)
    .addHelpText('after', `\n${help.join('\n')}`);
}

/** What stands behind a command: what it was given, its own options and those of every command. */
export type Action<Options> = (
  terminal: Terminal,
  given: { args: string[]; options: Options & GlobalOptions },
) => Promise<void>;

/** Lets a command do something. */
export function acting<Options>(
  made: Command,
  terminal: Terminal,
  action: Action<Options>,
): Command {
  return made.action(async (...parameters: unknown[]) => {
    const self = parameters.at(-1) as Command;
    const options = self.optsWithGlobals() as Options & GlobalOptions;
    // Variadic arguments come as lists.
    const args = parameters
      .slice(0, -2)
      .flat()
      .filter((one) => one !== undefined) as string[];
    await action(terminal, { args, options });
  });
}
