/** How a segment's filter compares (part 3, section 11). */
export const OPERATORS = [
  '_eq',
  '_neq',
  '_in',
  '_nin',
  '_gt',
  '_gte',
  '_lt',
  '_lte',
  '_between',
  '_contains',
  '_starts_with',
  '_null',
  '_nnull',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** What is counted of a client (part 3, sections 8 and 11). */
export const CLIENT_METRICS = [
  'transaction_count',
  'total_spending',
  'points_earned',
  'referrals_completed',
  'days_since_last_transaction',
] as const;
export type ClientMetric = (typeof CLIENT_METRICS)[number];

/** By which figure of a wallet a segment filters. */
export const BALANCES = ['active', 'pending', 'earned', 'spent'] as const;
export type BalanceName = (typeof BALANCES)[number];
