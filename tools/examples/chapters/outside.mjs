// Systems of others: webhooks, the till's company, the CRM, mails.

/** @param {import('./index.mjs').Story} story */
export async function tellOthers({ tell, ask, outside, run, until, day }) {
  const crm = {
    url: `${outside}/hooks/laurel`,
    event_types: ['client.created', 'reward_redeemed'],
    description: 'Customer relations',
  };
  const { data: webhook } = await tell('webhooks.create', { body: crm });
  await tell('webhooks.listEventTypes');
  await tell('webhooks.list');
  await tell('webhooks.get', { id: webhook.id });
  await tell('webhooks.update', {
    id: webhook.id,
    body: { event_types: ['client.created', 'tier_promoted'] },
  });
  await tell('webhooks.rotateSecret', { id: webhook.id });
  await tell('webhooks.test', { id: webhook.id });
  await tell('clients.create', { body: { email: `jack${run}@example.com`, first_name: 'Jack' } });
  const delivery = await until(async () => {
    const { data } = await ask('webhooks.listDeliveries', { id: webhook.id });
    return data.find((/** @type {any} */ { delivered_at }) => delivered_at !== null)?.id;
  }, 'a delivery');
  await tell('webhooks.listDeliveries', { id: webhook.id });
  await tell('webhooks.getDelivery', { id: webhook.id, deliveryId: delivery });
  await tell('webhooks.retryDelivery', { id: webhook.id, deliveryId: delivery });
  await tell('webhooks.replay', { id: webhook.id, body: { from_date: day(-1), to_date: day(0) } });
  const { data: spare } = await tell('webhooks.create', {
    body: { url: `${outside}/hooks/old`, event_types: ['client.created'] },
  });
  await tell('webhooks.delete', { id: spare.id });
}

/** @param {import('./index.mjs').Story} story */
export async function openInbox({ tell, ask, run, until }) {
  await tell('integrations.list');
  const mapping = {
    event_category: '"transaction"',
    event_type: '"purchase"',
    email: 'body.email',
    amount: 'body.total',
  };
  const inbox = await tell('integrations.set', {
    provider: 'webhook_inbox',
    body: { enabled_inbound: true, config: { mapping } },
  });
  const address = { inboxId: inbox.data.inbox_id, token: inbox.token };
  const sale = { email: `anna${run}@example.com`, total: 4.5 };
  const taken = (await tell('integrations.receive', { ...address, body: sale })).data.id;
  const message = (await ask('integrations.receive', { ...address, body: { email: 5 } })).data.id;
  const inInbox = { provider: 'webhook_inbox', id: message };
  for (const id of [taken, message]) {
    const isLookedAt = async () =>
      !/pending|leased/.test(
        (await ask('integrations.getInboxMessage', { ...inInbox, id })).data.status,
      );
    await until(isLookedAt, 'the message');
  }
  await tell('integrations.listInboxMessages', { provider: 'webhook_inbox' });
  await tell('integrations.getInboxMessage', inInbox);
  await tell('integrations.retryInboxMessage', inInbox);
}

/** @param {import('./index.mjs').Story} story */
export async function importSales({ tell, ask, send, outside, until, day }) {
  const pos = {
    config: { base_url: `${outside}/pos`, location_ids: [1] },
    secrets: { api_key: 'key-of-the-till' },
  };
  await tell('integrations.set', { provider: 'pos', body: pos });
  await tell('integrations.get', { provider: 'pos' });
  const credentials = { api_key: 'key-of-the-till' };
  await tell('integrations.testConnection', { provider: 'pos', body: { credentials } });
  const sales = { date_from: day(-7), date_to: day(0), location_ids: [1] };
  const first = (await tell('integrations.importTransactions', { provider: 'pos', body: sales }))
    .data.id;
  const ofFirst = { provider: 'pos', jobId: first };
  const isImported = async () => (await ask('integrations.getImportJob', ofFirst)).data.finished_at;
  await until(isImported, 'the import of sales');
  await tell('integrations.listImportJobs', { provider: 'pos' });
  await tell('integrations.getImportJob', ofFirst);
  await send('integrations.set', {
    provider: 'pos',
    body: { ...pos, config: { ...pos.config, base_url: `${outside}/slow` } },
  });
  const slow = (
    await tell('integrations.importTransactions', {
      provider: 'pos',
      body: { ...sales, date_from: day(-9) },
    })
  ).data.id;
  await tell('integrations.cancelImportJob', { provider: 'pos', jobId: slow });
}

/** @param {import('./index.mjs').Story} story */
export async function syncCrm({ tell, ask, outside, run, until }) {
  const crm = {
    config: { base_url: `${outside}/crm` },
    secrets: { api_key: 'key-of-the-crm' },
    enabled_outbound: true,
  };
  await tell('integrations.set', { provider: 'crm_sync', body: crm });
  await tell('clients.create', { body: { email: `kate${run}@example.com`, first_name: 'Kate' } });
  const newest = async () => (await ask('integrations.listOutboundJobs')).data[0]?.id;
  const job = await until(newest, 'a job of the CRM');
  await tell('integrations.listOutboundJobs');
  await tell('integrations.getHealth', { provider: 'webhook_inbox' });
  await tell('integrations.retryOutboundJob', { jobId: job });
  await tell('integrations.rotateInboxToken', { provider: 'webhook_inbox' });
  await tell('integrations.provisionInbox', { provider: 'webhook_inbox' });
  await tell('integrations.delete', { provider: 'crm_sync' });
}

/** @param {import('./index.mjs').Story} story */
export async function writeMails({ tell }) {
  const mail = { kind: 'portal_code', language: 'de' };
  await tell('mails.list');
  await tell('mails.set', { ...mail, body: { subject: 'Dein Code', text: 'Er lautet {{code}}.' } });
  await tell('mails.get', mail);
  const words = { subject: 'Dein Code für Roasted', text: 'Er lautet {{code}}.' };
  await tell('mails.preview', { ...mail, body: { words } });
  await tell('mails.delete', mail);
  await tell('imageSources.preview', { body: { raw: 'https://roasted.example.com/cup.png' } });
  await tell('imageSources.refresh', {
    body: { sourceUrl: 'https://roasted.example.com/cup.png' },
  });
  const managed = [{ kind: 'rewards', key: 'free-coffee', fields: { name: '0123456789abcdef' } }];
  await tell('programmes.set', { name: 'coffee-shop', body: { managed } });
  await tell('programmes.list');
  await tell('programmes.get', { name: 'coffee-shop' });
  await tell('downloads.create', { body: { kind: 'customers' } });
}
