// What the programme is made of: currencies, tiers, rewards, rules, segments, fields.

/** @param {import('./index.mjs').Story} story */
export async function mintBeans({ tell, rows }) {
  const beans = {
    code: 'beans',
    name: 'Beans',
    is_default: true,
    unit_singular_name: 'bean',
    unit_plural_name: 'beans',
    expiry_days: 365,
  };
  rows.beans = (await tell('walletTypes.create', { body: beans })).data.id;
  const stamps = { code: 'stamps', name: 'Stamp card', max_balance: 10 };
  const made = (await tell('walletTypes.create', { body: stamps })).data;
  await tell('walletTypes.list');
  await tell('walletTypes.get', { id: rows.beans });
  await tell('walletTypes.update', {
    id: made.id,
    body: { unit_singular_name: 'stamp', unit_plural_name: 'stamps' },
  });
  const spare = (
    await tell('walletTypes.create', { body: { code: 'credit', name: 'Store credit' } })
  ).data;
  await tell('walletTypes.delete', { id: spare.id });
  await tell('loyaltyConfig.create', {
    body: { program_name: 'Roasted', program_currency: 'EUR' },
  });
  await tell('loyaltyConfig.get');
  await tell('loyaltyConfig.update', { body: { program_name: 'Roasted Beans' } });
  await tell('loyaltyConfig.set', {
    body: { program_name: 'Roasted Beans', program_currency: 'EUR', settings: {} },
  });
  const field = {
    field_name: 'favourite_drink',
    field_label: 'Favourite drink',
    field_type: 'select',
    options: ['Espresso', 'Flat white', 'Filter'],
  };
  const drink = (await tell('dataModel.create', { body: field })).data;
  await tell('dataModel.update', {
    id: drink.id,
    body: { options: ['Espresso', 'Flat white', 'Filter', 'Cortado'] },
  });
  await tell('dataModel.list');
  const shoe = (
    await tell('dataModel.create', { body: { field_name: 'shoe_size', field_type: 'number' } })
  ).data;
  await tell('dataModel.delete', { id: shoe.id });
}

/** @param {import('./index.mjs').Story} story */
export async function buildTiers({ tell, rows }) {
  const conditions = [{ type: 'total_earned', wallet_type_code: 'beans' }];
  await tell('tiers.createSet', {
    body: { name: 'Regulars', conditions, downgrade_config: { lookback_days: 365 } },
  });
  const guest = (
    await tell('tiers.create', {
      body: { name: 'Guest', key: 'guest', condition_values: { total_earned: 0 } },
    })
  ).data;
  rows.guest = guest.id;
  const regular = {
    name: 'Regular',
    key: 'regular',
    condition_values: { total_earned: 300 },
    color: '#8D6E63',
    benefits: [{ id: 'oat-milk', label: 'Oat milk', value: 'free' }],
  };
  rows.regular = (await tell('tiers.create', { body: regular, again: true })).data.id;
  rows.friend = (
    await tell('tiers.create', {
      body: { name: 'Friend of the house', key: 'friend', kind: 'exclusive', condition_values: {} },
    })
  ).data.id;
  const spare = (
    await tell('tiers.create', {
      body: { name: 'Legend', condition_values: { total_earned: 5000 } },
    })
  ).data.id;
  await tell('tiers.list');
  await tell('tiers.get', { id: rows.regular });
  await tell('tiers.update', {
    id: rows.regular,
    body: {
      benefits: [...regular.benefits, { id: 'refill', label: 'Filter refill', value: 'free' }],
    },
  });
  await tell('tiers.reorder', {
    body: { tier_ids: [rows.guest, rows.regular, spare, rows.friend] },
  });
  await tell('tiers.delete', { id: spare });
  await tell('tiers.getSet');
  await tell('tiers.updateSet', { body: { name: 'Regulars of Roasted' } });
}

/** @param {import('./index.mjs').Story} story */
export async function offerRewards({ tell, rows }) {
  const coffee = {
    name: 'Free coffee',
    key: 'free-coffee',
    description: 'Any size, any milk',
    cost_in_points: 50,
    wallet_type_id: rows.beans,
    code_pattern: 'COFFEE-{RAND:6}',
    usage_limit_per_client: 5,
  };
  rows.coffee = (await tell('rewards.create', { body: coffee })).data.id;
  const bag = {
    name: '250 g of beans',
    key: 'bag-of-beans',
    cost_in_points: 220,
    wallet_type_id: rows.beans,
    visibility_tiers: [rows.regular],
  };
  rows.bag = (await tell('rewards.create', { body: bag })).data.id;
  const cake = {
    name: 'Birthday cake',
    cost_in_points: 0,
    wallet_type_id: rows.beans,
    purchasable: false,
  };
  rows.cake = (await tell('rewards.create', { body: cake })).data.id;
  const tasting = {
    name: 'Tasting evening',
    cost_in_points: 120,
    wallet_type_id: rows.beans,
    code_pattern: null,
  };
  rows.tasting = (await tell('rewards.create', { body: tasting })).data.id;
  await tell('rewards.list');
  await tell('rewards.get', { id: rows.coffee });
  await tell('rewards.update', { id: rows.coffee, body: { cost_in_points: 45 } });
  const copy = (await tell('rewards.duplicate', { id: rows.tasting })).data.id;
  await tell('rewards.delete', { id: copy });
  await tell('coupons.importForReward', {
    id: rows.tasting,
    body: { codes: ['TASTE-MARCH-01', 'TASTE-MARCH-02', 'TASTE-MARCH-03'] },
  });
  await tell('coupons.listForReward', { id: rows.tasting });
}

/** @param {import('./index.mjs').Story} story */
export async function writeRules({ tell, rows }) {
  const earn = {
    type: 'earn_points',
    wallet_type_code: 'beans',
    amount_type: 'expression',
    amount_expression: 'floor(event.amount)',
  };
  const onPurchase = { trigger_type: 'transaction', trigger_config: { event_types: ['purchase'] } };
  const perEuro = { name: 'One bean per euro', key: 'earn', ...onPurchase, effects: [earn] };
  rows.rule = (await tell('automations.create', { body: perEuro })).data.id;
  const tuesday = {
    name: 'Double beans on Tuesdays',
    active: false,
    ...onPurchase,
    conditions: [{ type: 'expression', expression: 'weekday(now) == 2.0' }],
    effects: [earn],
    limits: { per_client_budget: 500 },
  };
  rows.tuesday = (await tell('automations.create', { body: tuesday })).data.id;
  await tell('automations.list');
  await tell('automations.get', { id: rows.rule });
  await tell('automations.update', { id: rows.tuesday, body: { priority: 10 } });
  await tell('automations.set', { id: rows.tuesday, body: { ...tuesday, name: 'Double Tuesday' } });
  const copy = (await tell('automations.duplicate', { id: rows.tuesday })).data.id;
  await tell('automations.delete', { id: copy });
  await tell('automations.reorder', { body: { rule_ids: [rows.tuesday, rows.rule] } });
  await tell('automations.getMetadata');
}

/** @param {import('./index.mjs').Story} story */
export async function groupMembers({ tell, rows }) {
  const filter = {
    filter_type: 'client_field',
    filter_config: { field: 'marketing_consent', operator: '_eq', value: true },
  };
  rows.segment = (
    await tell('segments.create', {
      body: { name: 'May be written to', key: 'reachable', filters: [filter] },
    })
  ).data.id;
  await tell('segments.list');
  await tell('segments.get', { id: rows.segment });
  await tell('segments.update', {
    id: rows.segment,
    body: { description: 'Members who agreed to news' },
  });
  const copy = (
    await tell('segments.duplicate', {
      id: rows.segment,
      body: { name: 'May be written to, again' },
    })
  ).data.id;
  await tell('segments.delete', { id: copy });
}
