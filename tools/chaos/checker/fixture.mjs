// A small world in which every invariant holds, made without the platform: what the checker's own tests corrupt.
import { createHash } from 'node:crypto';
import { digestOfNote, hashOf } from './chain.mjs';
import { NOTHING } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Entry} Entry */
/** @typedef {import('./world.mjs').Wallet} Wallet */
/** @typedef {import('./world.mjs').Operation} Operation */

const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');
const WORKSPACE = 'workspace-1';
const WEBHOOK = 'webhook-1';
const DAY_MS = 86_400_000;
export const points = (/** @type {number} */ amount) => amount * 10_000;

const TYPES = [
  { _id: 'type-points', code: 'points', max_balance: null, allow_negative_balance: false },
  { _id: 'type-capped', code: 'capped', max_balance: points(500), allow_negative_balance: false },
  { _id: 'type-bought', code: 'bought', max_balance: null, allow_negative_balance: true },
  { _id: 'type-lucky', code: 'lucky', max_balance: null, allow_negative_balance: false },
  { _id: 'type-counter', code: 'counter', max_balance: null, allow_negative_balance: false },
  { _id: 'type-credit', code: 'credit', max_balance: null, allow_negative_balance: true },
].map((type) => ({ ...type, workspace_id: WORKSPACE }));

/** Writes entries as the ledger stores them, and with each what follows from it everywhere else. */
export class Book {
  /** @type {World} */
  world = {
    at: new Date(BEGIN + 3_600_000),
    entries: [],
    wallets: [],
    walletLots: [],
    walletTypes: TYPES,
    purchaseRefunds: [],
    clients: [],
    passes: [],
    tombstones: [],
    trail: [],
    executions: [],
    metrics: [],
    members: [],
    tiers: [],
    moves: [],
    rewards: [],
    usages: [],
    coupons: [],
    redemptions: [],
    attempts: [],
    programs: [],
    codes: [],
    people: [],
    referrals: [],
    outbox: [],
    inbox: [],
    heard: [],
    guests: [],
    campaigns: [],
    phones: [],
    again: [],
    segments: [],
    traces: [],
    contacts: [],
    saved: [],
    letters: [],
    bindings: [
      { queue: 'integrations.webhook-fanout', pattern: '#' },
      { queue: 'clients.trail', pattern: 'loyalty.*' },
    ],
    queues: [{ name: 'clients.trail', ready: 0, unacknowledged: 0 }],
    webhooks: [{ _id: WEBHOOK, workspace_id: WORKSPACE, event_types: ['*'], active: true }],
    deliveries: [],
    received: [],
    history: [],
    replayed: { messages: 40, changed: [] },
    run: {
      drainedAfterMs: 900,
      answers: { 200: 10, 201: 20, 503: 3, 0: 2 },
      calms: [
        {
          begins: 1_000,
          readyAfterMs: 700,
          lacking: [],
          attempts: 10,
          failed: [],
          repeated: 0,
          died: [],
        },
      ],
      verified: [],
    },
  };
  #clock = 0;

  /**
   * One more entry of a wallet.
   *
   * @param {Wallet} wallet
   * @param {Partial<Entry>} parts
   * @param {string | null} tag of the request that asked for it
   * @returns {Entry}
   */
  write(wallet, parts, tag) {
    this.#clock += 1;
    const _id = `entry-${this.#clock}`;
    const note = { salt: 'ab'.repeat(16), description: null, metadata: tag ? { op: tag } : {} };
    const change = { ...NOTHING, ...parts.change };
    const figures = /** @type {any} */ ({ ...wallet.figures });
    for (const name of Object.keys(figures)) figures[name] += /** @type {any} */ (change)[name];
    const type = /** @type {(typeof TYPES)[number]} */ (
      TYPES.find((one) => one._id === wallet.wallet_type_id)
    );
    const entry = /** @type {Entry} */ ({
      _id,
      workspace_id: WORKSPACE,
      wallet_id: wallet._id,
      client_id: wallet.client_id,
      wallet_type_id: type._id,
      wallet_type_code: type.code,
      sequence: wallet.sequence + 1,
      operation_id: `operation-${_id}`,
      first_status: 'active',
      status: 'active',
      lots: [],
      consumed: [],
      holds: [],
      marks: [],
      caps: {
        max_balance: type.max_balance,
        allow_negative: type.allow_negative_balance,
        requested: parts.amount ?? 0,
      },
      counterpart: null,
      closing: null,
      source_type: 'manual',
      source_id: null,
      external_id: null,
      expires_at: null,
      created_at: new Date(BEGIN + this.#clock * 1_000),
      prev_hash: wallet.hash,
      note,
      ...parts,
      change,
      after: figures,
    });
    entry.note_digest = digestOfNote(/** @type {NonNullable<Entry['note']>} */ (entry.note));
    entry.hash = hashOf(entry, entry.prev_hash);
    const { sequence, hash } = entry;
    Object.assign(wallet, { sequence, hash, figures });
    this.world.entries.push(entry);
    this.#spread(_id, entry.type === 'spend' ? 'loyalty.points_spent' : 'loyalty.points_earned');
    return entry;
  }

  /**
   * Something that another service said.
   *
   * @param {string} type
   * @param {Record<string, any>} about
   */
  tell(type, about) {
    const id = `event-${this.world.outbox.length + 1}`;
    this.world.outbox.push({ service: 'any', id, type, pending: false, about });
    this.#spread(id, type);
  }

  /** What everybody who listens does with an event. @param {string} id @param {string} type */
  #spread(id, type) {
    const digest = createHash('sha256').update(id).digest('hex');
    const from = { workspaceId: WORKSPACE, digest, copies: 1 };
    this.world.heard.push({ id, type, ...from });
    this.world.inbox.push({ service: 'any', key: `integrations.webhook-fanout:${id}` });
    if (type.startsWith('loyalty.'))
      this.world.inbox.push({ service: 'any', key: `clients.trail:${id}` });
    this.world.deliveries.push({
      _id: `delivery-${id}`,
      workspace_id: WORKSPACE,
      webhook_id: WEBHOOK,
      event_id: id,
      status: 'delivered',
    });
    this.world.received.push({ webhookId: WEBHOOK, eventId: id, ...from, forged: 0 });
  }

  /**
   * What a client asked, with its answer.
   *
   * @param {Partial<Operation> & { id: string, kind: string }} operation
   * @param {...Entry} entries
   */
  ask(operation, ...entries) {
    const at = this.#clock * 1_000;
    this.world.history.push({
      workspace: WORKSPACE,
      path: '/',
      body: {},
      invokedAt: at,
      endedAt: at + 500,
      outcome: 'ok',
      status: 201,
      attempts: 1,
      entries: entries.map((entry) => ({
        id: entry._id,
        type: entry.type,
        amount: entry.amount / 10_000,
        balance_after: entry.after.active / 10_000,
        sequence: entry.sequence,
        hash: entry.hash,
        client_wallet_id: entry.wallet_id,
        created_at: entry.created_at.toISOString(),
      })),
      ...operation,
    });
  }

  /** @param {string} client @param {string} type @returns {Wallet} */
  open(client, type) {
    const wallet = {
      _id: `wallet-${client}-${type}`,
      workspace_id: WORKSPACE,
      client_id: client,
      wallet_type_id: `type-${type}`,
      sequence: 0,
      hash: '0'.repeat(64),
      figures: NOTHING,
      lots: [],
      holds: [],
    };
    this.world.wallets.push(wallet);
    return wallet;
  }

  /** When the newest entry was written; what comes between it and the next one comes half a second later. */
  get later() {
    return new Date(BEGIN + this.#clock * 1_000 + 500);
  }

  /** The place of the next entry but some, as its lot names it. @param {Wallet} wallet @param {number | null} [days] until it expires @param {number} [ahead] */
  nextLot(wallet, days = null, ahead = 1) {
    const made_at = BEGIN + (this.#clock + ahead) * 1_000;
    return {
      id: `entry-${this.#clock + ahead}`,
      made_at,
      sequence: wallet.sequence + 1,
      expires_at: days === null ? null : made_at + days * DAY_MS,
    };
  }
}

/**
 * The lots that a wallet's log leaves.
 *
 * @param {World} world
 * @param {Wallet} wallet
 */
export function lotsLeft({ entries }, { _id }) {
  /** @type {Map<string, import('./world.mjs').Lot>} */
  const lots = new Map();
  for (const { by, matures_at, ...ref } of entries
    .filter(({ wallet_id }) => wallet_id === _id)
    .flatMap((entry) => entry.lots)) {
    const remaining = (lots.get(ref.id)?.remaining ?? 0) + by;
    lots.set(ref.id, { ...ref, remaining, matures_at });
  }
  return [...lots.values()].filter(({ remaining }) => remaining > 0);
}
