// What members do: they buy, earn, spend, redeem; and what is read of it afterwards.

const QUIET_MS = 1_500;

/** @param {import('./index.mjs').Story} story */
export async function sellCoffee({ tell, ask, rows, known, run, until }) {
  const breakfast = {
    event_category: 'transaction',
    event_type: 'purchase',
    pass_id: rows.pass,
    amount: 12.5,
    currency: 'EUR',
    external_id: `order-7${run}`,
  };
  rows.event = (await tell('events.record', { body: breakfast })).data.id;
  const earned = async () =>
    (await ask('points.listEntriesForClient', { clientId: rows.anna })).data.length > 0;
  await until(earned, 'the beans of the breakfast');
  const second = { ...breakfast, amount: 4.5, external_id: `order-8${run}` };
  await tell('events.recordBatch', { body: { events: [second] } });
  await tell('events.recordCustom', {
    body: {
      client_id: rows.anna,
      event_type: 'tasting_visited',
      metadata: { roast: 'Huehuetenango' },
    },
  });
  await tell('events.recordEngagement', {
    body: { client_id: rows.anna, event_type: 'check_in', source: 'till' },
  });
  await settled(async () => (await ask('events.list')).meta.total);
  await tell('events.get', { id: rows.event });
  await tell('events.list');
  await tell('events.listForClient', { id: rows.anna });
  await tell('events.aggregate', {
    body: {
      workspace_id: known.workspaceId,
      function: 'sum',
      field: 'amount',
      event_category: 'transaction',
      currency: 'EUR',
      time_window: 'all_time',
    },
  });
  const wrong = { ...breakfast, amount: 99, external_id: `order-9${run}` };
  const mistake = (await tell('events.record', { body: wrong })).data.id;
  await tell('events.delete', { id: mistake });
  const typo = (await tell('events.record', { body: { ...wrong, external_id: `order-10${run}` } }))
    .data.id;
  await tell('events.deleteBatch', {
    body: { workspace_id: known.workspaceId, event_ids: [typo] },
  });
}

/** @param {import('./index.mjs').Story} story */
export async function moveBeans({ tell, rows, run }) {
  const sale = {
    client_id: rows.anna,
    amount: 300,
    description: 'Catering for her office',
    source_type: 'transaction',
    source_id: `order-11${run}`,
    external_id: `order-11${run}`,
  };
  rows.entry = (await tell('points.earn', { body: sale })).data.id;
  await tell('points.spend', {
    body: {
      client_id: rows.anna,
      amount: 10,
      description: 'A cookie',
      external_id: `order-12${run}`,
    },
  });
  await tell('points.adjust', {
    body: { client_id: rows.anna, amount: 5, description: 'Waited too long' },
  });
  await tell('points.transfer', {
    body: {
      from_client_id: rows.anna,
      to_client_id: rows.ben,
      amount: 20,
      description: 'A present',
    },
  });
  const held = (
    await tell('points.lock', {
      body: {
        client_id: rows.anna,
        amount: 30,
        description: 'Order under way',
        expires_in_seconds: 900,
      },
    })
  ).data.id;
  await tell('points.captureLock', { entryId: held, body: { amount: 25 } });
  const other = (await tell('points.lock', { body: { client_id: rows.anna, amount: 10 } })).data.id;
  await tell('points.releaseLock', { entryId: other });
  const operations = [
    { op: 'earn', client_id: rows.anna, amount: 4 },
    { op: 'spend', client_id: rows.ben, amount: 5 },
  ];
  await tell('points.batch', { body: { operations } });
  const twice = (
    await tell('points.earn', {
      body: { client_id: rows.ben, amount: 7, description: 'Typed twice' },
    })
  ).data.id;
  await tell('points.cancelEntry', { entryId: twice, body: { reason: 'Typed twice' } });
  await tell('points.refund', { body: { source_id: `order-11${run}`, ratio: 0.1 } });
}

/** @param {import('./index.mjs').Story} story */
export async function countBeans({ tell, ask, rows, until }) {
  await settled(async () => (await ask('events.list')).meta.total);
  await tell('points.listEntries');
  await tell('points.getEntry', { entryId: rows.entry });
  const { data: earned } = await tell('points.listEntriesForClient', {
    clientId: rows.anna,
    query: { type: 'earn', limit: 10 },
  });
  const ruled =
    earned.find((/** @type {any} */ { source_type }) => source_type === 'earning_rule') ??
    earned.at(-1);
  await tell('points.explainEntry', { entryId: ruled.id });
  await tell('points.listWalletsForClient', { clientId: rows.anna });
  await tell('points.listExpiringForClient', { clientId: rows.anna, query: { within_days: 365 } });
  await tell('points.getStatementForClient', { clientId: rows.anna });
  await tell('points.getStatement', { query: { wallet_type_code: 'beans' } });
  await tell('points.getSummary', { query: { wallet_type_code: 'beans' } });
  await tell('points.verify', { body: { client_id: rows.anna } });
  const latest = async () => (await ask('points.listCheckpoints')).data[0]?.id;
  rows.checkpoint = await until(latest, 'a checkpoint', 120_000);
  await tell('points.listCheckpoints');
  await tell('points.getCheckpoint', { id: rows.checkpoint });
}

/** @param {import('./index.mjs').Story} story */
export async function redeemRewards({ tell, rows }) {
  const { data } = await tell('rewards.redeem', {
    body: { reward_id: rows.coffee, client_id: rows.anna },
  });
  rows.redemption = data.redemption.id;
  await tell('coupons.validate', { body: { code: data.coupon.code } });
  await tell('rewards.useRedemption', { id: rows.redemption, body: { used: true } });
  const second = (
    await tell('rewards.redeem', { body: { reward_id: rows.coffee, client_id: rows.anna } })
  ).data;
  await tell('rewards.cancelRedemption', { id: second.redemption.id, body: {} });
  rows.open = (
    await tell('rewards.redeem', { body: { reward_id: rows.tasting, client_id: rows.anna } })
  ).data.redemption.id;
  await tell('rewards.listRedemptions');
  await tell('rewards.getRedemption', { id: rows.redemption });
  await tell('rewards.getStats', { id: rows.coffee });
  await tell('rewards.aggregateRedemptions', { body: { group_by_time: 'day' } });
  await tell('rewards.rankRedeemed', { body: { limit: 2 } });
}

/** @param {import('./index.mjs').Story} story */
export async function raiseTiers({ tell, ask, rows, until }) {
  await tell('tiers.assign', {
    body: { client_id: rows.ben, tier_id: rows.friend, duration_days: 30 },
  });
  await tell('tiers.getForClient', { clientId: rows.anna });
  const history = async () =>
    (await ask('tiers.listHistoryForClient', { clientId: rows.ben })).data.length > 0;
  await until(history, 'the history of a tier');
  await tell('tiers.listHistoryForClient', { clientId: rows.ben });
  await tell('tiers.countClients');
  await tell('tiers.listClients', { query: { tier_id: rows.friend } });
  await tell('tiers.unassign', { body: { client_id: rows.ben } });
  await tell('tiers.preview', { body: { downgrade_config: { lookback_days: 180 } } });
  const job = (await tell('tiers.recalculate', { body: { client_ids: [rows.anna] } })).data;
  await tell('tiers.listResyncJobs');
  await tell('tiers.getResyncJob', { id: job.id });
}

/** What follows from a call by itself has come about once nothing new is seen for a while. @param {() => Promise<unknown>} look */
async function settled(look) {
  for (let before = await look(); ; ) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const now = await look();
    if (now === before) return;
    before = now;
  }
}

/** @param {import('./index.mjs').Story} story */
export async function lookBack({ tell, ask, rows, day, until }) {
  const event = { trigger_type: 'transaction', event_type: 'purchase', amount: 4.5 };
  await tell('automations.simulate', { body: { client_id: rows.anna, event } });
  const formula = { expression: 'floor(event.amount) * 2.0', expected_type: 'number' };
  await tell('automations.validateFormula', { body: { ...formula, client_id: rows.anna, event } });
  const range = { from_date: day(-7), to_date: day(0) };
  const test = (await tell('automations.backtest', { body: { rule_id: rows.rule, ...range } })).data
    .id;
  const isDone = async () =>
    !/pending|running|queued/.test(
      (await ask('automations.getBacktest', { id: test })).data.status,
    );
  await until(isDone, 'the backtest');
  await tell('automations.getBacktest', { id: test });
  await tell('automations.listExecutions');
  await tell('segments.calculate', { id: rows.segment });
  await tell('segments.countClients', { id: rows.segment });
  await tell('segments.listClients', { id: rows.segment });
  await tell('segments.previewClients', { id: rows.segment });
  await tell('segments.listPasses', { id: rows.segment });
  const filter = {
    filter_type: 'client_field',
    filter_config: { field: 'first_name', operator: '_contains', value: 'Ann' },
  };
  await tell('segments.preview', { body: { filters: [filter], limit: 2 } });
  await tell('workspaces.getOverview');
  await tell('workspaces.search', { query: { q: 'anna' } });
  await tell('workspaces.getAttention');
  await tell('workspaces.listAuditLog');
  await tell('clients.exportPerson', { id: rows.anna });
}
