/** What shows balances, and what moved them. */
export const MOVED = ['wallets', 'entries', 'events', 'tier', 'customers', 'overview'] as const;
/** The same with what they were spent on. */
export const REDEEMED = [...MOVED, 'redemptions', 'rewards', 'coupons'] as const;
