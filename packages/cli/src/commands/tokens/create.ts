import { acting, command } from '../../command';
import { UsageError } from '../../failures';
import { say } from '../../output';
import { openSession, openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
import { makeToken, type Wanted, wanting } from '../../tokens';

/** The token alone stands on standard output, so that it can go straight to where it is kept. */
export const create = (terminal: Terminal) =>
  acting<Wanted>(
    wanting(
      command({
        usage: 'create <name>',
        summary: 'Make a token with a scope; it is shown this once',
        examples: [
          'laurel tokens create "Till in Dublin" --scope operate --bound',
          'laurel tokens create CI --scope configure --days 90 | gh secret set LAUREL_TOKEN',
        ],
      }),
    ),
    terminal,
    async (_, { args: [name], options }) => {
      const { scope, days, bound } = options;
      if (scope === undefined) throw new UsageError('say what it is for, with --scope');
      terminal.mustBeHeard();
      const { laurel, workspace } = await (bound ? openWorkspace : openSession)(terminal, options);
      const made = await makeToken(laurel, {
        name: name!,
        scope,
        ...(days === undefined ? {} : { days }),
        ...(bound ? { workspace: workspace! } : {}),
      });
      if (!options.json) terminal.err(`✓ ${name} (${scope}); this token is not shown again\n`);
      say(terminal, options, { data: made, lines: [made.token] });
    },
  );
