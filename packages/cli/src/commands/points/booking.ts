import { randomUUID } from 'node:crypto';
import type { Laurel, LedgerEntry } from '@laurel/client';
import type { Command } from 'commander';
import { type Action, acting, command, type Told } from '../../command';
import { MEMBER_NAMED, memberOf, nameOf } from '../../members';
import { say } from '../../output';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
import { amount } from '../../values';

export interface BookingOptions {
  why?: string;
  wallet?: string;
  externalId?: string;
  key?: string;
}

export interface Booking {
  client_id: string;
  amount: number;
  description?: string;
  wallet_type_code?: string;
  external_id?: string;
}

type Book = (laurel: Laurel, booking: Booking, key: string) => Promise<LedgerEntry>;

/** A command that moves points of one member, says what came of it, and under which key it may be repeated. */
export function booking(terminal: Terminal, told: Told, book: Book): Command {
  const action: Action<BookingOptions> = async (_, { args, options }) => {
    const { laurel } = await openWorkspace(terminal, options);
    const [who, points] = args;
    const member = await memberOf(laurel, who!);
    const { why, wallet, externalId, key = `laurel-${randomUUID()}` } = options;
    const entry = await book(
      laurel,
      {
        client_id: member.id,
        amount: points as unknown as number,
        ...(why === undefined ? {} : { description: why }),
        ...(wallet === undefined ? {} : { wallet_type_code: wallet }),
        ...(externalId === undefined ? {} : { external_id: externalId }),
      },
      key,
    );
    const sign = entry.amount > 0 ? '+' : '';
    say(terminal, options, {
      data: entry,
      lines: [
        `✓ ${nameOf(member)}: ${sign}${entry.amount}, now ${entry.balance_after}`,
        `  entry ${entry.id}, key ${key}`,
      ],
    });
  };
  const made = command(told)
    .argument('<member>', MEMBER_NAMED)
    .argument('<points>', 'with at most four decimals', amount)
    .option('--why <text>', 'what is told to the member and written in the ledger')
    .option('--wallet <code>', 'wallet type; the default one unless said otherwise')
    .option('--external-id <id>', 'of the sale or case in your own system: booked once under it')
    .option('--key <key>', 'Idempotency-Key: the same one books nothing twice');
  return acting(made, terminal, action);
}
