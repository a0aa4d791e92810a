import type { Event } from '@laurel/client';
import { readShown } from '../../api/read-shown';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { payerOf } from '../rewards/payer-of';

/**
 * Writes what an event moved: money of a purchase, points in the words of their currency. Empty where it moved nothing.
 *
 * @param events those that are shown
 */
export function useEventAmount(events: readonly Event[]): (event: Event) => string {
  const { format } = useConsole();
  const types = useAsk(['wallet-types'], (laurel) => laurel.walletTypes.list());
  const moving = events.filter(movesPoints);
  const shown = [...new Set(moving.flatMap(({ metadata }) => idIn(metadata?.reward_id)))].sort();
  const rewards = useAsk(
    ['rewards', 'of events', shown],
    ({ rewards: { list, get } }) => readShown(shown, { list, get }),
    { isWanted: shown.length > 0 && (types.data?.length ?? 0) > 1 },
  );
  return (event) => {
    const { amount, currency, metadata } = event;
    if (amount === null) return '';
    if (!movesPoints(event)) return format.money(amount, currency);
    const all = types.data ?? [];
    const named = all.find(({ code }) => code === metadata?.wallet_type_code);
    // What a reward cost names no currency: where there are several, it is that of the reward.
    const reward = rewards.data?.find(({ id }) => id === metadata?.reward_id);
    const payer = reward && payerOf(reward, all);
    return format.units(amount, named ?? payer ?? (all.length === 1 ? all[0] : undefined));
  };
}

/** Events of any kind may name a reward in their metadata: the currency of one is asked for only of those that move points. */
const movesPoints = ({ event_category, amount }: Event): boolean =>
  amount !== null && event_category !== 'transaction';

const idIn = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);
