import { acting, command } from '../command';
import { say } from '../output';
import { openSession } from '../session';
import type { Terminal } from '../terminal';

export const whoami = (terminal: Terminal) =>
  acting(
    command({
      usage: 'whoami',
      summary: 'Say who is signed in, and where',
      examples: ['laurel whoami', 'laurel whoami --json'],
    }),
    terminal,
    async (_, { options }) => {
      const { laurel, url, workspace } = await openSession(terminal, options);
      const [me, workspaces] = await Promise.all([laurel.user.getMe(), laurel.workspaces.list()]);
      const chosen = workspaces.find(({ id }) => id === workspace) ?? null;
      say(terminal, options, {
        data: { url, user: me, workspace: chosen, workspaces },
        lines: [
          `${me.email} at ${url}`,
          ...workspaces.map(
            ({ id, name, slug }) => `${id === workspace ? '*' : ' '} ${slug.padEnd(24)} ${name}`,
          ),
        ],
      });
    },
  );
