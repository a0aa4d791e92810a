// Reads what the services stored, straight from their databases.
import { MongoClient } from 'mongodb';

/** @typedef {import('./checker/world.mjs').World} World */

/** The engine reads a cursor anew for each batch: one large one is cheap, many small ones are not. */
export const BATCH = 100_000;

/** Of each event what it is about. */
const OUTBOX = Object.fromEntries(
  [
    'type',
    'data.client_id',
    'data.redemption.id',
    'data.referral_id',
    'data.role',
    'data.source_client_id',
    'data.tier.id',
  ].map((name) => [`event.${name}`, 1]),
);
const OUTBOX_FIELDS = { ...OUTBOX, pending: 1 };

/**
 * @param {string} uri
 * @param {string} prefix of the databases of this run
 * @param {readonly string[]} services
 */
export function openStore(uri, prefix, services) {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  /** @param {string} service @param {string} collection @returns {import('mongodb').Collection<any>} */
  const rowsOf = (service, collection) => client.db(`${prefix}${service}`).collection(collection);
  const all = (/** @type {string} */ service, /** @type {string} */ collection, projection = {}) =>
    rowsOf(service, collection).find({}, { projection, batchSize: BATCH }).toArray();

  return {
    /** What is committed and not through yet, by name; empty when all is done. @returns {Promise<Record<string, number>>} */
    async waiting() {
      /** @type {[string, string, string, object][]} */
      const places = [
        ...services.map(
          (service) =>
            /** @type {[string, string, string, object]} */ ([
              `outbox of ${service}`,
              service,
              'outbox',
              { pending: true },
            ]),
        ),
        ['entries to relay', 'ledger', 'entries', { unrelayed: true }],
        ['refunds half done', 'ledger', 'purchase_refunds', { open: true }],
        ['triggers put aside', 'automations', 'trigger_backlog', {}],
        ['rules that run', 'automations', 'executions', { status: 'running' }],
        ['redemptions on their way', 'rewards', 'attempts', { state: { $ne: 'failed' } }],
        ['cancellations', 'rewards', 'redemptions', { due_at: { $exists: true } }],
        [
          'merges',
          'clients',
          'processes',
          // What is left after the ledger's part waits for a minute and a half by design.
          { next_attempt_at: { $exists: true }, done_steps: { $ne: 'ledger' } },
        ],
        [
          'messages of shop systems',
          'integrations',
          'inbox_messages',
          { due_at: { $exists: true } },
        ],
        ['what another system is to hear', 'integrations', 'outbound_jobs', { status: 'pending' }],
        ['clients to be told of', 'integrations', 'outbound_backfills', {}],
        ['refused clients to be told of', 'integrations', 'outbound_retries', {}],
        ['pushes', 'passes', 'pass_updates', { pending: true }],
        ['cards to be redrawn', 'passes', 'template_refreshes', {}],
        ['mails and texts', 'identity', 'messages', {}],
        ['mails to members', 'passes', 'messages', {}],
        ['campaigns', 'campaigns', 'campaigns', { status: 'active' }],
        ['webhook deliveries', 'integrations', 'webhook_deliveries', { status: 'pending' }],
      ];
      const counted = await Promise.all(
        places.map(async ([what, service, collection, filter]) => {
          const count = await rowsOf(service, collection).countDocuments(filter);
          return /** @type {[string, number]} */ ([what, count]);
        }),
      );
      return Object.fromEntries(counted.filter(([, count]) => count > 0));
    },

    /** Redemptions that failed and are still remembered. @returns {Promise<number>} */
    failedAttempts: () => rowsOf('rewards', 'attempts').countDocuments({ state: 'failed' }),

    /** Whether something happened since, which holds and lots do by themselves. @returns {Promise<number>} */
    entries: () => rowsOf('ledger', 'entries').countDocuments(),

    /** Everything that the checker looks at. */
    async read() {
      const inService = async (/** @type {string} */ collection, projection = {}) =>
        (
          await Promise.all(
            services.map(async (service) =>
              (await all(service, collection, projection)).map((row) => ({ service, row })),
            ),
          )
        ).flat();
      const outbox = await inService('outbox', OUTBOX_FIELDS);
      const inbox = await inService('inbox', { _id: 1 });
      return {
        entries: await all('ledger', 'entries'),
        wallets: await all('ledger', 'wallets'),
        walletLots: await all('ledger', 'wallet_lots'),
        walletTypes: await all('ledger', 'wallet_types'),
        purchaseRefunds: await all('ledger', 'purchase_refunds'),
        clients: await all('clients', 'clients'),
        passes: await all('passes', 'passes', { client_id: 1 }),
        tombstones: await all('clients', 'tombstones'),
        metrics: await all('clients', 'client_metrics'),
        trail: await all('clients', 'events'),
        executions: await all('automations', 'executions', {
          client_id: 1,
          'trigger.eventId': 1,
        }),
        members: await all('tiers', 'members'),
        tiers: await all('tiers', 'tiers'),
        moves: await all('tiers', 'tier_history'),
        rewards: await all('rewards', 'rewards'),
        usages: await all('rewards', 'usages'),
        coupons: await all('rewards', 'coupons'),
        redemptions: await all('rewards', 'redemptions'),
        attempts: await all('rewards', 'attempts'),
        programs: await all('referrals', 'programs'),
        codes: await all('referrals', 'codes'),
        people: await all('referrals', 'people'),
        referrals: await all('referrals', 'referrals'),
        webhooks: await all('integrations', 'webhooks'),
        deliveries: await all('integrations', 'webhook_deliveries'),
        outbox: outbox.map(({ service, row }) => ({
          service,
          id: row._id,
          type: row.event.type,
          pending: row.pending === true,
          about: row.event.data ?? {},
        })),
        inbox: inbox.map(({ service, row }) => ({ service, key: row._id })),
      };
    },

    close: () => client.close(),
  };
}

/** @typedef {ReturnType<typeof openStore>} Store */
