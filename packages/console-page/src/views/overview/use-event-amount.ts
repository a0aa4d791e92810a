import type { Event } from '@laurel/client';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';

/** Writes what an event moved: money of a purchase, points in the words of their currency. Empty where it moved nothing. */
export function useEventAmount(): (event: Event) => string {
  const { format } = useConsole();
  const types = useAsk(['wallet-types'], (laurel) => laurel.walletTypes.list());
  return ({ event_category, amount, currency, metadata }) => {
    if (amount === null) return '';
    if (event_category === 'transaction') return format.money(amount, currency);
    const all = types.data ?? [];
    const named = all.find(({ code }) => code === metadata?.wallet_type_code);
    // What a reward cost names no currency; where there is one, it is that.
    const type = named ?? (all.length === 1 ? all[0] : undefined);
    return format.units(amount, type);
  };
}
