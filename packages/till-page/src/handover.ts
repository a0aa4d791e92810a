import type { Redemption } from './shapes';

/**
 * What a customer has redeemed and waits for at the counter. What a till redeemed was handed over right then, and is
 * never marked.
 */
export const toHandOver = (redemptions: readonly Redemption[]): Redemption[] =>
  redemptions.filter(
    ({ status, source, used_at }) =>
      status === 'fulfilled' && source !== 'mobile' && used_at === null,
  );
