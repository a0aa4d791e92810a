// What the checker looks at: everything that was stored, sent, received and promised in a run, as plain data.

/**
 * Points are whole units of 1/10 000 everywhere in the stored documents.
 *
 * @typedef {{ active: number, pending: number, locked: number, earned: number, spent: number, expired: number, moved: number }} Figures
 * @typedef {{ id: string, made_at: number, sequence: number, expires_at: number | null }} LotRef
 * @typedef {LotRef & { by: number, matures_at: number | null }} LotChange
 * @typedef {LotRef & { amount: number }} Part
 * @typedef {LotRef & { remaining: number, matures_at: number | null }} Lot
 * @typedef {{ id: string, amount: number, expires_at: number, parts: Part[], outcome: string }} Hold
 * @typedef {{
 *   _id: string, workspace_id: string, wallet_id: string, client_id: string, wallet_type_id: string,
 *   wallet_type_code: string, sequence: number, operation_id: string, claim?: string, type: string,
 *   first_status: string, amount: number, change: Figures, after: Figures, lots: LotChange[], consumed: Part[],
 *   holds: Hold[], marks: { entry_id: string, status: string }[],
 *   caps: { max_balance: number | null, allow_negative: boolean, requested: number } | null,
 *   counterpart: { client_id: string, wallet_id: string, entry_id: string } | null,
 *   source_type: string, source_id: string | null, external_id: string | null, expires_at: Date | null,
 *   closing: { successor: string | null } | null, note_digest: string, created_at: Date, prev_hash: string, hash: string, status: string,
 *   note: { salt: string, description: string | null, metadata: Record<string, any> } | null, unrelayed?: true,
 * }} Entry
 * @typedef {{
 *   _id: string, workspace_id: string, client_id: string, wallet_type_id: string, sequence: number, hash: string,
 *   figures: Figures, lots: Lot[] | null, holds: Hold[] | null,
 * }} Wallet `lots` and `holds` are null where there are many: then they are kept apart
 * @typedef {{ _id: string, sequence: number, lots: Lot[], holds: Hold[] }} WalletLots may be older than the wallet
 * @typedef {{ _id: string, workspace_id: string, code: string, max_balance: number | null, allow_negative_balance: boolean }} WalletType
 * @typedef {{ _id: string, workspace_id: string, source_id: string, ratio_total: number, open?: true,
 *   refunds: { id: string, operation_id: string, external_id: string | null, done: boolean, steps: { entry_id: string, due: number }[] }[] }} PurchaseRefunds
 * @typedef {{ _id: string, workspace_id: string, kind: string, merged_into: string | null }} Tombstone of a client
 * @typedef {{ _id: string, workspace_id: string, client_id: string | null, event_category: string, event_type: string, event_timestamp: Date,
 *   external_id?: string, original_external_id?: string | null, metadata: Record<string, any>, amount: number | null,
 *   refund_link?: { state: string, saleIds: string[], names: string[], paid: number, linkedAt?: Date } | null }} TrailEvent
 * @typedef {{ _id: string, client_id: string, trigger: { eventId: string | null } }} Execution of a rule
 * @typedef {{ _id: string, transaction_count: number, total_spending: number }} Metrics by client
 * @typedef {{ _id: string, workspace_id: string, state: string, enabled: boolean, tier: { id: string, name: string } | null,
 *   lifetime: { earned: Record<string, number>, transactions: number } }} Member a client as tiers see it
 * @typedef {{ _id: string, workspace_id: string, name: string, sort_order: number, condition_values: { total_earned: number } }} Tier
 * @typedef {{ _id: string, client_id: string, from_tier_id: string | null, to_tier_id: string | null }} Move a change of tier
 * @typedef {{ _id: string, workspace_id: string, name: string, used: number, marks: string[], usage_limit: number | null,
 *   usage_limit_per_client: number | null, code_pattern: string | null, coupons_imported: boolean }} Reward
 * @typedef {{ reward_id: string, client_id: string, used: number, marks: string[] }} Usage
 * @typedef {{ _id: string, workspace_id: string, code: string, status: string, redemption_id: string | null,
 *   used_at: Date | null, claimed_by: string | null }} Coupon
 * @typedef {{ _id: string, workspace_id: string, reward_id: string, client_id: string, points_spent: number,
 *   points_ledger_id: string | null, coupon_id: string | null, status: string, source?: string, counted: boolean, used_at: Date | null,
 *   metadata: Record<string, any>, refund: { points: number, entry_id: string | null } | null }} Redemption
 * @typedef {{ workspace_id: string, max_referrals_per_referrer: number | null }} Program
 * @typedef {{ workspace_id: string, code: string, client_id: string }} Code
 * @typedef {{ _id: string, completed: number }} Person a client as referrals see it
 * @typedef {{ _id: string, workspace_id: string, referrer_client_id: string | null, referee_client_id: string | null,
 *   referral_code: string, status: string, qualifying_event_type: string | null, operation_id: string }} Referral
 * @typedef {{ id: string, type: string, workspaceId: string | null, digest: string, copies: number, subject?: string }} Heard an event on the broker
 * @typedef {{ queue: string, pattern: string }} Binding
 * @typedef {{ name: string, ready: number, unacknowledged: number }} Queue
 * @typedef {{ _id: string, workspace_id: string, event_types: string[], active: boolean }} Webhook
 * @typedef {{ _id: string, workspace_id: string, webhook_id: string, event_id: string, status: string }} Delivery
 * @typedef {{ webhookId: string, eventId: string, workspaceId: string, digest: string, copies: number, forged: number }} Received
 *   what reached the webhook receiver; `forged` counts copies whose signature was wrong
 * @typedef {{ id: string, type: string, amount: number, balance_after: number, sequence: number, hash: string, client_wallet_id: string, created_at: string }} Reply
 * @typedef {{ id?: string, status?: string, code?: string, outcome?: string, referral_id?: string, refund_link?: string | null, operation?: string,
 *   redemption?: { id: string, status: string, points_spent: number, coupon_id: string | null } }} Answered what an answer
 *   said that was not about entries
 * @typedef {'ok' | 'fail' | 'unknown'} Outcome
 * @typedef {{
 *   id: string, kind: string, workspace: string, path: string, body: any, invokedAt: number, endedAt: number,
 *   outcome: Outcome, status: number, attempts: number, entries: Reply[],
 *   results?: { entry?: Reply, error?: string }[], told?: Answered, of?: string,
 * }} Operation `of` names the operation that a probe or read is about
 * @typedef {{ begins: number, readyAfterMs: number | null, lacking: string[], attempts: number, failed: string[], repeated: number, died: string[] }} Calm a time
 *   without faults; `failed` tells of each attempt that did, `repeated` counts failures of requests that had failed before in that time, `died` names processes that did so by themselves
 * @typedef {{ canary: string, place: string, workspaceId: string | null }} Trace of a guest; `workspaceId` is whose the place is, where it is one's
 * @typedef {{ passId: string, clientId: string, pushes: number, document: any }} Phone and the pass.json that it shows
 * @typedef {{ passId: string, clientId: string, objectId: string, object: any }} Saved a card at Google, as it was sent last
 * @typedef {{ workspaceId: string, clientId: string, fields: Record<string, any> | null, calls: number }} Contact a client as another system
 *   heard of it last; null when it was to let go of it
 * @typedef {{ id: string, channel: 'email' | 'sms', to: string, text: string, isAltered: boolean }} Letter a mail or text that arrived; `isAltered`: it came
 *   again with other words
 * @typedef {Pick<Operation, 'id' | 'status' | 'entries' | 'results' | 'told'> & { code?: string }} Again what an operation was answered
 *   when it was asked for once more, under its key
 * @typedef {{ messages: number, changed: string[] }} Replayed how much was sent again in the end, and which rows that changed
 * @typedef {import('../scene.mjs').Segment & { clientIds: string[] }} Members of a segment
 * @typedef {{ drainedAfterMs: number, answers: Record<string, number>, calms: Calm[], verified: { valid: boolean, entries: number, problems: number, alone?: string[] }[] }} Run `answers` counts attempts by status, 0 for none
 *
 * @typedef {{
 *   at: Date,
 *   entries: Entry[], wallets: Wallet[], walletLots: WalletLots[], walletTypes: WalletType[], purchaseRefunds: PurchaseRefunds[],
 *   clients: { _id: string, workspace_id: string, email?: string | null, status?: string, custom_fields: Record<string, any> }[],
 *   passes: { _id: string, client_id: string | null }[], tombstones: Tombstone[],
 *   trail: TrailEvent[], executions: Execution[], metrics: Metrics[], members: Member[], tiers: Tier[], moves: Move[],
 *   rewards: Reward[], usages: Usage[], coupons: Coupon[], redemptions: Redemption[], attempts: { _id: string, state: string }[],
 *   programs: Program[], codes: Code[], people: Person[], referrals: Referral[],
 *   outbox: { service: string, id: string, type: string, pending: boolean, about: Record<string, any> }[],
 *   inbox: { service: string, key: string }[],
 *   heard: Heard[], bindings: Binding[], queues: Queue[],
 *   webhooks: Webhook[], deliveries: Delivery[], received: Received[],
 *   guests: import('../scene.mjs').Scene['guests'], campaigns: import('../scene.mjs').Launchable[], phones: Phone[], traces: Trace[], contacts: Contact[], saved: Saved[], letters: Letter[],
 *   again: Again[], replayed: Replayed, segments: Members[],
 *   history: Operation[], run: Run,
 * }} World
 *
 * @typedef {{ checked: number, violations: string[] }} Finding
 */

/**
 * Collects what one invariant looked at and what it found.
 *
 * @returns {Finding & { must(condition: boolean, violation: () => string): void }}
 */
export function finding() {
  return {
    checked: 0,
    violations: [],
    must(condition, violation) {
      this.checked += 1;
      if (!condition) this.violations.push(violation());
    },
  };
}

/** @type {WeakMap<Entry[], Map<string, Entry[]>>} */
const logs = new WeakMap();

/**
 * Every wallet's entries in order of their sequence.
 *
 * @param {Pick<World, 'entries'>} world
 * @returns {Map<string, Entry[]>} by wallet id
 */
export function logsOf({ entries }) {
  const known = logs.get(entries);
  if (known) return known;
  const made = groupBy(entries, (entry) => entry.wallet_id);
  for (const log of made.values()) log.sort((a, b) => a.sequence - b.sequence);
  logs.set(entries, made);
  return made;
}

/**
 * @template T
 * @param {readonly T[]} rows
 * @param {(row: T) => string} keyOf
 * @returns {Map<string, T[]>}
 */
export function groupBy(rows, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/**
 * Who a client became part of in the end; itself, if it was never merged.
 *
 * @param {Pick<World, 'tombstones'>} world
 * @returns {(client: string) => string}
 */
export function heirsOf({ tombstones }) {
  const heirs = new Map(tombstones.map(({ _id, merged_into }) => [_id, merged_into]));
  return (client) => {
    let heir = client;
    for (let hops = 0; hops <= heirs.size; hops += 1) heir = heirs.get(heir) ?? heir;
    return heir;
  };
}

/** How a person finds an entry again. @param {Entry} entry */
export const nameOf = (entry) =>
  `${entry.type} ${entry._id} (wallet ${entry.wallet_id}, sequence ${entry.sequence})`;

/** The figures of a wallet without entries. @type {Figures} */
export const NOTHING = Object.freeze({
  active: 0,
  pending: 0,
  locked: 0,
  earned: 0,
  spent: 0,
  expired: 0,
  moved: 0,
});

/** @param {number} decimal as on the wire @returns {number} whole units */
export const unitsOf = (decimal) => Math.round(decimal * 10_000);
