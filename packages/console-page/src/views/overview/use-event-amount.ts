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
    const type = types.data?.find(({ code }) => code === metadata?.wallet_type_code);
    return format.units(amount, type);
  };
}
