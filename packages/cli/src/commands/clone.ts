import { randomUUID } from 'node:crypto';
import { acting, command } from '../command';
import { Failed } from '../failures';
import { say } from '../output';
import { openWorkspace } from '../session';
import type { Terminal } from '../terminal';
import { wholeNumber } from '../values';
import { watch } from './watch';

interface CloneOptions {
  members?: number;
  sandbox?: boolean;
  key?: string;
}

export const clone = (terminal: Terminal) =>
  acting<CloneOptions>(
    command({
      usage: 'clone <name>',
      summary: 'Make a workspace that is set up like this one',
      examples: [
        'laurel clone "Coffee Corner, trying prices"',
        'laurel clone Demo --members 200 --sandbox',
      ],
      notes:
        'Webhooks and campaigns arrive switched off; secrets, certificates, integrations and colleagues stay behind.',
    })
      .option('--members <n>', 'bring so many members, under names that are made up', wholeNumber)
      .option('--sandbox', 'make it a sandbox')
      .option('--key <key>', 'Idempotency-Key: the same one makes no second one'),
    terminal,
    async (_, { args: [name], options }) => {
      const { laurel } = await openWorkspace(terminal, options);
      const { members = 0, sandbox, key = `laurel-${randomUUID()}` } = options;
      const begun = await laurel.workspaces.clone(
        { name: name!, members, anonymised: true, ...(sandbox ? { sandbox } : {}) },
        { idempotencyKey: key },
      );
      const made = await watch(terminal, begun, {
        doing: 'copying',
        isOver: ({ status }) => status !== 'copying',
        progressOf: ({ members_copied, members }) => [members_copied, members],
        read: ({ id }) => laurel.workspaces.getClone(id),
        lookAgain: ({ id }) => `laurel api workspaces.getClone ${id}`,
        options,
      });
      if (made.status === 'failed') throw new Failed(`nothing is left of it: ${made.problem}`);
      const { slug } = await laurel.workspaces.get({ workspace: made.id });
      const brought = made.members_copied > 0 ? ` with ${made.members_copied} members` : '';
      say(terminal, options, {
        data: { ...made, slug },
        lines: [`✓ ${made.name} (${slug}) is there${brought}; work in it with: laurel use ${slug}`],
      });
    },
  );
