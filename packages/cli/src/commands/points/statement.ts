import { acting, command } from '../../command';
import { memberOf, nameOf } from '../../members';
import { say, table } from '../../output';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';

interface Options {
  wallet?: string;
  from?: string;
  to?: string;
}

export const statement = (terminal: Terminal) =>
  acting<Options>(
    command({
      usage: 'statement <member>',
      summary: 'Show what moved the points of a member',
      examples: [
        'laurel points statement anna@example.com',
        'laurel points statement anna@example.com --from 2026-01-01 --to 2026-03-31 --json',
      ],
    })
      .option('--wallet <code>', 'wallet type; the default one unless said otherwise')
      .option('--from <date>', 'first day, or a moment')
      .option('--to <date>', 'last day, or a moment'),
    terminal,
    async (_, { args: [who], options }) => {
      const { laurel } = await openWorkspace(terminal, options);
      const member = await memberOf(laurel, who!);
      const { wallet, from, to } = options;
      const found = await laurel.points.getStatementForClient(member.id, {
        ...(wallet === undefined ? {} : { wallet_type_code: wallet }),
        ...(from === undefined ? {} : { from_date: from }),
        ...(to === undefined ? {} : { to_date: to }),
      });
      const { opening, entries, closing } = found;
      // From the balance before to the balance after, as it is read; the API has the newest first.
      const rows = entries
        .toReversed()
        .map(({ created_at, type, amount, balance_after, description }) => [
          created_at.slice(0, 16).replace('T', ' '),
          type,
          amount,
          balance_after,
          description,
        ]);
      say(terminal, options, {
        data: found,
        lines: [
          nameOf(member),
          `before: ${opening.total}`,
          ...(rows.length === 0 ? [] : table(['when', 'what', 'points', 'then', 'why'], rows)),
          `after: ${closing.total} (${closing.active} active, ${closing.pending} pending, ${closing.locked} locked)`,
        ],
      });
    },
  );
