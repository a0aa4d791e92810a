import { acting, command } from '../../command';
import { nameOf, searched } from '../../members';
import { say, table } from '../../output';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
import { wholeNumber } from '../../values';

export const find = (terminal: Terminal) =>
  acting<{ limit?: number }>(
    command({
      usage: 'find <words>',
      summary: 'Find members by a part of their name, address or phone number',
      examples: ['laurel members find anna', 'laurel members find +4850123 --json'],
    }).option('--limit <count>', 'how many at most', wholeNumber),
    terminal,
    async (_, { args: [words], options }) => {
      const { laurel } = await openWorkspace(terminal, options);
      const members = await searched(laurel, words!, options.limit);
      const rows = members.map((one) => [one.id, nameOf(one), one.email, one.phone, one.status]);
      const heads = ['id', 'name', 'e-mail', 'phone', 'status'];
      say(terminal, options, {
        data: members,
        lines: rows.length === 0 ? ['nobody'] : table(heads, rows),
      });
    },
  );
