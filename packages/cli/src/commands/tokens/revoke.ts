import { acting, command } from '../../command';
import { UsageError } from '../../failures';
import { say } from '../../output';
import { openSession } from '../../session';
import type { Terminal } from '../../terminal';

export const revoke = (terminal: Terminal) =>
  acting(
    command({
      usage: 'revoke <token>',
      summary: 'End a token, by its id or its name',
      examples: [
        'laurel tokens revoke CI',
        'laurel tokens revoke 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      ],
    }),
    terminal,
    async (_, { args: [asked], options }) => {
      const { laurel } = await openSession(terminal, options);
      const found = (await laurel.user.listApiTokens()).filter(
        ({ id, name }) => id === asked || name === asked,
      );
      const [token, ...others] = found;
      if (!token) throw new UsageError(`you have no token ${asked}; see laurel tokens list`);
      if (others.length > 0)
        throw new UsageError(`${found.length} tokens are called ${asked}: name one by its id`);
      await laurel.user.revokeApiToken(token.id);
      say(terminal, options, { data: token, lines: [`✓ ${token.name} has ended`] });
    },
  );
