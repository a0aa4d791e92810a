import { acting, command } from '../../command';
import { memberOf, nameOf } from '../../members';
import { say, table } from '../../output';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';

export const show = (terminal: Terminal) =>
  acting(
    command({
      usage: 'show <member>',
      summary: 'Show a member with their balances',
      examples: ['laurel members show anna@example.com', 'laurel members show "+48 501 234 567"'],
      notes:
        'A member is named by id, address, phone number or a part of the name that fits nobody else.',
    }),
    terminal,
    async (_, { args: [who], options }) => {
      const { laurel } = await openWorkspace(terminal, options);
      const member = await memberOf(laurel, who!);
      const wallets = await laurel.points.listWalletsForClient(member.id);
      const facts = Object.entries({
        'e-mail': member.email,
        phone: member.phone,
        birthday: member.birth_date,
        status: member.status,
        'takes part': member.loyalty_program_enabled ? 'yes' : 'no',
        since: member.registration_date,
        ...member.custom_fields,
      }).filter(([, value]) => value !== null && value !== undefined);
      const rows = wallets.map(({ wallet, wallet_type: { code } }) => [
        code,
        wallet.active_balance,
        wallet.pending_balance,
        wallet.locked_balance,
        wallet.total_earned,
      ]);
      const heads = ['wallet', 'active', 'pending', 'locked', 'ever earned'];
      say(terminal, options, {
        data: { ...member, wallets },
        lines: [
          `${nameOf(member)}  ${member.id}`,
          ...facts.map(([name, value]) => `  ${name.padEnd(12)} ${shown(value)}`),
          ...(rows.length === 0 ? [] : ['', ...table(heads, rows)]),
        ],
      });
    },
  );

const shown = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
