import { currentContext } from '@laurel/lifecycle';
import { refusals } from '../refusals';
import type { Command } from './command';
import type { EntryDocument } from './documents';
import type { LogParts } from './log-parts';
import { Planner, withinRange } from './planner';

/**
 * The entry that the log would write for a command at this moment, decided as the log decides it: on the wallet where
 * its log ends, once all that is due has been settled. Throws the same refusals, and that it is busy where that is
 * more than goes at once; writes nothing.
 */
export async function foretell(
  { heads, now }: Pick<LogParts, 'heads' | 'now'>,
  { wallet, operationId, claim, decide }: Command,
): Promise<EntryDocument | null> {
  const head = (await heads.proven([wallet])).get(wallet.id)!;
  const planner = new Planner(head);
  const at = now(wallet.workspaceId);
  if (!withinRange(() => planner.settle(at))) throw refusals.busy();
  return planner.decide(decide, at, { operationId, claim, context: currentContext() });
}
