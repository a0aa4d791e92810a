import type { Action } from './shapes';

/** What gives may happen later; what takes must not: a balance that is not known cannot be spent. */
export const mayWait = ({ action_type: type }: Action): boolean =>
  type === 'add_transaction' || type === 'add_points';

/** Actions that are a form or an amount; rewards stand below with their prices. */
const ENTRIES = new Set(['add_transaction', 'add_points', 'remove_points', 'update_client_data']);

/** A form without a question is none. */
const isAskable = ({ action_type: type, form_fields: fields }: Action): boolean =>
  ENTRIES.has(type) && (type !== 'update_client_data' || fields.length > 0);

/** What can be done with a card: the action that most customers come for, and the others in the shop's order. */
export interface Offered {
  /** Its number pad is there as soon as the card is. Only what gives: a thumb that slips takes nothing from anybody. */
  main: Action | null;
  others: Action[];
}

/** @param isKnown false where there was no network to ask about the card */
export function offeredActions(actions: readonly Action[], isKnown: boolean): Offered {
  const askable = actions.filter((action) => isAskable(action) && (isKnown || mayWait(action)));
  const main = askable.find(mayWait) ?? null;
  return { main, others: askable.filter((action) => action !== main) };
}
