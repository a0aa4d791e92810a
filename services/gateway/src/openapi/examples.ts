const ANN = '0198f3a0-0000-7000-8000-000000000001';
const BEN = '0198f3a0-0000-7000-8000-000000000002';
const RULE_EFFECT = {
  type: 'earn_points',
  wallet_type_code: 'points',
  amount_type: 'expression',
  amount_expression: 'floor(event.amount)',
};

/** Bodies as people would send them, where the plainest one would tell little or would not do. */
export const EXAMPLES: Readonly<Record<string, object>> = {
  'automations.create': {
    name: 'One point per euro',
    trigger_type: 'transaction',
    trigger_config: { event_types: ['purchase'] },
    effects: [RULE_EFFECT],
  },
  'automations.backtest': {
    rule: { name: 'One point per euro', trigger_type: 'transaction', effects: [RULE_EFFECT] },
    from_date: '2026-01-01',
    to_date: '2026-01-31',
  },
  'clients.create': {
    email: 'ann@example.com',
    first_name: 'Ann',
    marketing_consent: true,
    loyalty_program_enabled: true,
  },
  'clients.merge': {
    source_client_id: ANN,
    target_client_id: BEN,
  },
  'events.record': {
    event_category: 'transaction',
    event_type: 'purchase',
    pass_id: ANN,
    amount: 12.5,
    currency: 'EUR',
    external_id: 'order-7',
  },
  'events.recordBatch': {
    events: [
      {
        event_category: 'transaction',
        event_type: 'purchase',
        pass_id: ANN,
        amount: 12.5,
        currency: 'EUR',
      },
    ],
  },
  'points.batch': {
    operations: [{ op: 'earn', client_id: ANN, amount: 12.5, external_id: 'order-7' }],
  },
  'points.earn': {
    client_id: ANN,
    amount: 12.5,
    description: 'Breakfast',
    external_id: 'order-7',
  },
  'points.spend': {
    client_id: ANN,
    amount: 10,
    external_id: 'order-8',
  },
  'points.transfer': { from_client_id: ANN, to_client_id: BEN, amount: 12.5 },
  'rewards.create': {
    name: 'Free coffee',
    cost_in_points: 50,
    code_pattern: 'COFFEE-{RAND:6}',
    usage_limit_per_client: 5,
  },
  'tiers.create': { name: 'Gold', condition_values: { total_earned: 300 } },
  'user.updateMe': { first_name: 'Ann' },
  'walletTypes.create': { code: 'points', name: 'Points' },
  'webhooks.create': {
    url: 'https://shop.example.com/hooks/laurel',
    event_types: ['client.created', 'loyalty.points_earned'],
  },
};
