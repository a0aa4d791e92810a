import { Command } from 'commander';
import { api } from './commands/api';
import { clone } from './commands/clone';
import { doctor } from './commands/doctor';
import { listen } from './commands/listen';
import { login } from './commands/login';
import { logout } from './commands/logout';
import { create } from './commands/members/create';
import { exportMembers } from './commands/members/export';
import { find } from './commands/members/find';
import { importMembers } from './commands/members/import';
import { show } from './commands/members/show';
import { adjust } from './commands/points/adjust';
import { earn } from './commands/points/earn';
import { spend } from './commands/points/spend';
import { statement } from './commands/points/statement';
import { apply } from './commands/programme/apply';
import { plan } from './commands/programme/plan';
import { pull } from './commands/programme/pull';
import { simulate } from './commands/programme/simulate';
import { test } from './commands/programme/test';
import { tail } from './commands/tail';
import { create as createToken } from './commands/tokens/create';
import { list as listTokens } from './commands/tokens/list';
import { revoke as revokeToken } from './commands/tokens/revoke';
import { use } from './commands/use';
import { whoami } from './commands/whoami';
import { EXIT } from './exit-codes';
import { tellFailure } from './failures';
import type { Terminal } from './terminal';

declare const LAUREL_VERSION: string | undefined;

type Make = (terminal: Terminal) => Command;

const TREE: { name: string; summary: string; examples: string[]; commands: Make[] }[] = [
  {
    name: 'members',
    summary: 'The members of the programme; the API calls them clients',
    examples: ['laurel members find anna', 'laurel members import members.csv'],
    commands: [find, show, create, importMembers, exportMembers],
  },
  {
    name: 'points',
    summary: 'Points of a member',
    examples: [
      'laurel points earn anna@example.com 50',
      'laurel points statement anna@example.com',
    ],
    commands: [earn, spend, adjust, statement],
  },
  {
    name: 'programme',
    summary: 'The programme as files: wallet types, tiers, rewards, rules and the rest of it',
    examples: ['laurel programme pull programme', 'laurel programme plan programme'],
    commands: [pull, plan, simulate, apply, test],
  },
  {
    name: 'tokens',
    summary: 'Your API tokens, each with a name and a scope',
    examples: ['laurel tokens list', 'laurel tokens create CI --scope configure'],
    commands: [listTokens, createToken, revokeToken],
  },
];
const COMMANDS: Make[] = [login, logout, whoami, use, clone, doctor, api, listen, tail];

const HELP = `
Exit codes: 0 done, 1 refused or not well (a scenario that does not hold, too), 2 wrong usage, 3 not signed in, 4 no answer,
5 a plan has changes.
LAUREL_URL, LAUREL_TOKEN, LAUREL_WORKSPACE and LAUREL_PROFILE stand in for options that are left out.

Examples:
  $ laurel login --url https://loyalty.example.com
  $ laurel points earn anna@example.com 50 --why "Late train"`;

/** Every command with its help. */
export function createProgram(terminal: Terminal, isJson = false): Command {
  const version = typeof LAUREL_VERSION === 'string' ? LAUREL_VERSION : '0.0.0';
  const program = new Command('laurel')
    .description('Laurel, the open loyalty platform, from the command line.')
    .version(version)
    .option('--json', 'print JSON, for programs')
    .option('--url <url>', 'the platform')
    .option('--workspace <slug or id>', 'the workspace')
    .option('--profile <name>', 'who is signed in')
    .addHelpText('after', HELP)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      outputError: (text, write) => {
        if (!isJson) write(text);
      },
    })
    .showSuggestionAfterError()
    .exitOverride();
  for (const { name, summary, examples, commands } of TREE) {
    const group = program.command(name).summary(summary).description(`${summary}.`);
    group.addHelpText('after', `\nExamples:\n${examples.map((one) => `  $ ${one}`).join('\n')}`);
    for (const make of commands) add(group, make(terminal));
  }
  for (const make of COMMANDS) add(program, make(terminal));
  return program;
}

function add(parent: Command, made: Command): void {
  parent.addCommand(made.copyInheritedSettings(parent));
}

/** Does what somebody has typed. @returns the exit code */
export async function run(terminal: Terminal, parameters: readonly string[]): Promise<number> {
  // What Commander refuses it refuses before it has read all options.
  const isJson = parameters.includes('--json');
  const program = createProgram(terminal, isJson);
  let takesKey = false;
  program.hook('preAction', (_, { options }) => {
    takesKey = options.some(({ long }) => long === '--key');
  });
  try {
    await program.parseAsync(parameters, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    return tellFailure(terminal, error, { isJson, takesKey });
  }
}
