import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Command } from '../store/command';
import { foretell } from '../store/foretell';
import { decimal } from './wire';

/** What an operation on points would come to, without doing it. */
export async function quoted(deps: Deps, command: Command): Promise<ledger.PointsQuote> {
  const entry = await foretell(deps, command);
  if (!entry) throw new Error('an operation would come to nothing');
  const { amount, wallet_type_code, change, after } = entry;
  return {
    amount: decimal(amount),
    wallet_type_code,
    pending: decimal(change.pending),
    balance_after: decimal(after.active),
  };
}
