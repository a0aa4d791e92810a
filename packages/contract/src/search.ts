/** What a search finds, in the order in which it is shown (docs/adr/0019). */
export const SEARCH_TYPES = [
  'client',
  'pass',
  'coupon',
  'reward',
  'rule',
  'campaign',
  'segment',
  'card',
  'form',
  'entry',
  'delivery',
] as const;
