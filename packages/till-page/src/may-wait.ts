import type { Action } from './shapes';

/** What gives may happen later; what takes must not: a balance that is not known cannot be spent. */
export const mayWait = ({ action_type: type }: Action): boolean =>
  type === 'add_transaction' || type === 'add_points';
