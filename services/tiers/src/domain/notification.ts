import type { Move } from './member';
import type { Tier } from './programme';

/**
 * What a change of tier says to the client, or null where no tier asks for it. A promotion speaks with
 * the tier reached. So does a demotion; where that tier is silent, or none is left, the tier lost speaks.
 */
export function messageFor(move: Move, tiers: readonly Tier[]): string | null {
  const configOf = (id: string | undefined) =>
    tiers.find((tier) => tier.id === id)?.notification_config ?? null;
  const reached = configOf(move.to?.id);
  if (move.promoted) {
    if (!reached?.send_on_promotion) return null;
    return reached.promotion_body || `You have reached ${move.to!.name}.`;
  }
  const speaker = [reached, configOf(move.from?.id)].find((config) => config?.send_on_demotion);
  if (!speaker) return null;
  return (
    speaker.demotion_body ||
    (move.to ? `Your tier is now ${move.to.name}.` : `You have left ${move.from!.name}.`)
  );
}
