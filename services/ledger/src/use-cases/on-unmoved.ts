import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { Command, Outcome } from '../store/command';

const ATTEMPTS_MAX = 20;

/**
 * Decides on the very wallet on which something was looked up before, such as what was taken back of an earn: where
 * anything happened to the wallet meanwhile it is looked up anew. Null where the look finds nothing to do, or the decision is
 * that.
 */
export async function onUnmoved(
  { heads, log }: Pick<Deps, 'heads' | 'log'>,
  command: Omit<Command, 'decide'>,
  look: () => Promise<Command['decide'] | null>,
): Promise<Outcome | null> {
  const { wallet } = command;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const { sequence } = (await heads.proven([wallet])).get(wallet.id)!.wallet;
    const decide = await look();
    if (!decide) return null;
    let moved = false;
    const outcome = await log.perform({
      ...command,
      decide: (state, moment) => {
        moved = state.sequence !== sequence;
        return moved ? null : decide(state, moment);
      },
    });
    if (outcome || !moved) return outcome;
  }
  throw refusals.busy();
}
