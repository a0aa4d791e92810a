import { acting, command } from '../../command';
import { say, table } from '../../output';
import { openSession } from '../../session';
import type { Terminal } from '../../terminal';

export const list = (terminal: Terminal) =>
  acting(
    command({
      usage: 'list',
      summary: 'List your tokens, newest first',
      examples: ['laurel tokens list', 'laurel tokens list --json'],
      notes: 'Never the tokens themselves, and not the one without a name that regenerating makes.',
    }),
    terminal,
    async (_, { options }) => {
      const { laurel } = await openSession(terminal, options);
      const [tokens, workspaces] = await Promise.all([
        laurel.user.listApiTokens(),
        laurel.workspaces.list(),
      ]);
      const slugOf = (id: string | null) =>
        id === null ? 'all' : (workspaces.find((each) => each.id === id)?.slug ?? id);
      const rows = tokens.map((token) => [
        token.id,
        token.name,
        token.scope,
        slugOf(token.workspace_id),
        token.last_used_at ?? 'never',
        token.expires_at ?? 'never',
      ]);
      const heads = ['id', 'name', 'scope', 'workspace', 'last used', 'ends'];
      say(terminal, options, {
        data: tokens,
        lines: tokens.length === 0 ? ['no tokens'] : table(heads, rows),
      });
    },
  );
