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
 *   note_digest: string, created_at: Date, prev_hash: string, hash: string, status: string,
 *   note: { salt: string, description: string | null, metadata: Record<string, any> } | null, unrelayed?: true,
 * }} Entry
 * @typedef {{
 *   _id: string, workspace_id: string, client_id: string, wallet_type_id: string, sequence: number, hash: string,
 *   figures: Figures, lots: Lot[] | null, holds: Hold[] | null,
 * }} Wallet `lots` and `holds` are null where there are many: then they are kept apart
 * @typedef {{ _id: string, sequence: number, lots: Lot[], holds: Hold[] }} WalletLots may be older than the wallet
 * @typedef {{ _id: string, workspace_id: string, code: string, max_balance: number | null, allow_negative_balance: boolean }} WalletType
 * @typedef {{ _id: string, workspace_id: string, source_id: string, ratio_total: number, open?: true,
 *   refunds: { id: string, external_id: string | null, done: boolean, steps: { entry_id: string, due: number }[] }[] }} PurchaseRefunds
 * @typedef {{ id: string, type: string, workspaceId: string | null, digest: string, copies: number }} Heard an event on the broker
 * @typedef {{ queue: string, pattern: string }} Binding
 * @typedef {{ name: string, ready: number, unacknowledged: number }} Queue
 * @typedef {{ _id: string, workspace_id: string, event_types: string[], active: boolean }} Webhook
 * @typedef {{ _id: string, workspace_id: string, webhook_id: string, event_id: string, status: string }} Delivery
 * @typedef {{ webhookId: string, eventId: string, workspaceId: string, digest: string, copies: number, forged: number }} Received
 *   what reached the webhook receiver; `forged` counts copies whose signature was wrong
 * @typedef {{ id: string, type: string, amount: number, balance_after: number, sequence: number, hash: string, client_wallet_id: string, created_at: string }} Reply
 * @typedef {'ok' | 'fail' | 'unknown'} Outcome
 * @typedef {{
 *   id: string, kind: string, workspace: string, path: string, body: any, invokedAt: number, endedAt: number,
 *   outcome: Outcome, status: number, attempts: number, entries: Reply[],
 *   results?: { entry?: Reply, error?: string }[], of?: string, sameAs?: string, lenient?: boolean,
 * }} Operation `of` names the operation that a probe or read is about; `lenient` is set while Redis was disturbed
 * @typedef {{ begins: number, readyAfterMs: number | null, attempts: number, failures: number }} Calm a time without faults
 * @typedef {{ drainedAfterMs: number, answers: Record<string, number>, calms: Calm[], verified: { valid: boolean, entries: number, problems: number }[] }} Run `answers` counts attempts by status, 0 for none
 *
 * @typedef {{
 *   at: Date,
 *   entries: Entry[], wallets: Wallet[], walletLots: WalletLots[], walletTypes: WalletType[], purchaseRefunds: PurchaseRefunds[],
 *   clients: { _id: string, workspace_id: string, custom_fields: Record<string, any> }[],
 *   outbox: { service: string, id: string, type: string, pending: boolean }[],
 *   inbox: { service: string, key: string }[],
 *   heard: Heard[], bindings: Binding[], queues: Queue[],
 *   webhooks: Webhook[], deliveries: Delivery[], received: Received[],
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
