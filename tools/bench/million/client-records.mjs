// Everything that the platform keeps of one client: the client, what it is found by, its entries, wallet and tiers.
import { personOf } from './people.mjs';
import { idAt, integer, randomFrom, skewed } from './random.mjs';
import {
  count,
  dayOf,
  EMPTY_WALLET,
  earn,
  externalClaim,
  fromLots,
  GENESIS_HASH,
  introduce,
  introductionOf,
  NOTHING,
  newClient,
  newProfile,
  nextDueAt,
  operationIdOf,
  Planner,
  programmeOf,
  searchDocument,
  settleDue,
  settleTier,
  smaller,
  snapshotOf,
  spend,
  strangerMember,
  systemContext,
  toClientDocument,
  toMemberDocument,
  toProfileDocument,
  toUnits,
  walletIdOf,
  withEvent,
  withTier,
  withWallet,
} from './services.mjs';

/** With what is spent at a time, members spend most of what they earn. */
const SPEND_SHARE = 0.25;
const SHOPS = ['Harbour', 'Station', 'Market', 'Old Town', 'Riverside', 'Airport'];
/** By how much the job that settles what is due is late. */
const JOB_LATE_MS = 700;
const RULES = { pendingDays: null, maxBalance: null, allowNegative: false };

/**
 * @typedef {object} Plan what a workspace is to be filled with
 * @property {string} seed
 * @property {string} workspaceId
 * @property {string} actorId who books the points
 * @property {{ id: string, code: string, expiry_days: number }} walletType
 * @property {{ active: boolean, conditions: object[], downgrade_config: object }} tierSet
 * @property {Tier[]} tiers
 * @property {number} clients
 * @property {number} entries of all clients together, without those by which points expire
 * @property {{ wallets: number, entries: number }} deep the first wallets have that many entries each
 * @property {number} from epoch milliseconds at which the first client joins
 * @property {number} to when the last entry is made
 *
 * @typedef {{ id: string, sort_order: number, condition_values: { total_earned: number } }} Tier
 * @typedef {{ kind: string, at: number, document: object }} Stored
 * @typedef {{ id: string, number: number, joinedAt: number, entries: number }} Customer
 */

/**
 * @param {Plan} plan
 * @param {number} number
 */
export function customerOf({ seed, from, to, clients }, number) {
  const random = randomFrom(seed, 'joins', number);
  const joinedAt = Math.floor(from + ((to - from) * (number + random())) / (clients + 1));
  return { id: idAt(joinedAt, random), joinedAt };
}

/**
 * How many entries each client has. Most have a few, many none, the first ones thousands.
 *
 * @param {Plan} plan
 * @returns {Uint32Array} adds up to `plan.entries`
 */
export function entryCounts({ seed, clients, entries, deep }) {
  const counts = new Uint32Array(clients).fill(deep.entries, 0, deep.wallets);
  const mean = (entries - deep.wallets * deep.entries) / (clients - deep.wallets);
  const scale = 1 / Math.log(1 + 1 / mean);
  let left = entries - deep.wallets * deep.entries;
  for (let number = deep.wallets; number < clients; number += 1) {
    const random = randomFrom(seed, 'entries', number);
    const drawn = Math.floor(-Math.log(1 - random()) * scale);
    counts[number] = Math.min(drawn, left);
    left -= counts[number];
  }
  for (let number = deep.wallets; left > 0; number += 1, left -= 1) counts[number % clients] += 1;
  return counts;
}

/**
 * @param {Plan} plan
 * @param {number} number
 * @param {number} entries
 * @returns {Generator<Stored>} in no particular order
 */
export function* recordsOf(plan, number, entries) {
  const { workspaceId } = plan;
  const { id, joinedAt } = customerOf(plan, number);
  const fields = personOf(plan.seed, number);
  const authorship = { source: 'api', now: new Date(joinedAt) };
  const person = newClient({ id, workspaceId }, fields, authorship);
  const client = toClientDocument(person);
  yield { kind: 'clients.clients', at: joinedAt, document: client };
  yield { kind: 'clients.client_search', at: joinedAt, document: searchDocument(client) };

  const planner = historyOf(plan, { id, number, joinedAt, entries });
  const { head, documents } = planner;
  for (const document of documents)
    yield { kind: 'ledger.entries', at: document.created_at.getTime(), document };
  const lastAt = head.wallet.lastAt || joinedAt;
  if (documents.length > 0) yield* walletOf(head, lastAt);
  const { member, rows } = membershipOf(plan, client, documents);
  yield* rows;
  yield profileOf(person, head, documents, member, joinedAt);
}

/** What segments are asked of: as wallet, entries and tier made it known to the profile. */
function profileOf(person, { ref, wallet }, entries, member, at) {
  const { active, pending, earned, spent } = wallet.figures;
  const { sequence } = wallet;
  const owned = { active, pending, earned, spent, sequence };
  const blank = withTier(newProfile(person), member.tier?.id ?? null, {
    revision: member.revision,
    at: member.promotedAt ?? person.date_created,
  });
  const profile = sequence === 0 ? blank : withWallet(blank, ref.walletTypeCode, owned);
  const told = entries
    .filter(({ type }) => type === 'earn' || type === 'spend')
    .map((entry) => ({
      id: entry._id,
      event_category: 'loyalty',
      event_type: entry.type === 'earn' ? 'points_earned' : 'points_spent',
      event_timestamp: entry.created_at,
      amount: Math.abs(entry.amount),
      points_delta: entry.amount,
      metadata: { points_ledger_id: entry._id },
    }));
  const document = toProfileDocument(told.reduce(withEvent, profile));
  return { kind: 'clients.client_profiles', at, document };
}

/**
 * The snapshot of a wallet, and its lots where they are kept apart because there are many.
 *
 * @returns {Generator<Stored>}
 */
function* walletOf(head, at) {
  const { ref, wallet } = head;
  const snapshot = { _id: ref.id, ...snapshotOf(head) };
  yield { kind: 'ledger.wallets', at, document: snapshot };
  if (snapshot.lots !== null) return;
  const { id, workspaceId: workspace_id } = ref;
  const document = { _id: id, workspace_id, sequence: wallet.sequence, ...fromLots(wallet) };
  yield { kind: 'ledger.wallet_lots', at, document };
}

/**
 * What the wallet of a client went through, decided by the ledger's own rules at the moments it happened.
 *
 * @param {Plan} plan
 * @param {Customer} customer
 */
function historyOf(plan, { id: clientId, number, joinedAt, entries }) {
  const { workspaceId, walletType, to } = plan;
  const random = randomFrom(plan.seed, 'history', number);
  const ref = {
    id: walletIdOf(workspaceId, clientId, walletType.id),
    workspaceId,
    clientId,
    walletTypeId: walletType.id,
    walletTypeCode: walletType.code,
  };
  const planner = new Planner({ ref, wallet: EMPTY_WALLET, hash: GENESIS_HASH });
  const moments = Array.from({ length: entries }, () => joinedAt + random() * (to - joinedAt));
  for (const moment of moments.map(Math.floor).sort((a, b) => a - b)) {
    settleBy(planner, moment, random);
    operate(plan, planner, moment, random);
  }
  if (entries > 0) settleBy(planner, to, random);
  for (const document of planner.documents) delete document.unrelayed;
  applyMarks(planner.documents);
  return planner;
}

/** What a purchase or a spend at the till leaves behind. */
function operate(plan, planner, moment, random) {
  const { wallet, ref } = planner.head;
  const at = Math.max(moment, wallet.lastAt);
  const entryId = idAt(at, random);
  const shop = skewed(random, SHOPS);
  const spends = wallet.figures.active > 0 && random() < SPEND_SHARE;
  const asked = toUnits(spends ? integer(random, 10, 80) * 10 : integer(random, 10, 2_000) / 10);
  const externalId = random() < 0.5 ? `till-${entryId.slice(-12)}` : undefined;
  const command = {
    amount: spends ? smaller(asked, wallet.figures.active) : asked,
    sourceType: spends ? 'manual' : 'transaction',
    sourceId: spends ? null : `receipt-${entryId.slice(-12)}`,
    externalId: externalId ?? null,
    description: spends ? `Redeemed, ${shop}` : `Purchase, ${shop}`,
    metadata: { shop, till: integer(random, 1, 9) },
  };
  const rules = { ...RULES, expiryDays: plan.walletType.expiry_days };
  const draft = (spends ? spend : earn)({ wallet, rules }, command, { entryId, now: at });
  const kind = spends ? 'spend' : 'earn';
  planner.add(
    draft,
    { entryId, now: at },
    {
      operationId: operationIdOf(kind, entryId),
      claim: externalClaim(kind, ref, externalId),
      context: contextAt(at, random, { type: 'user', id: plan.actorId }),
    },
  );
}

/** Lets expire what has to by then, as the job does. */
function settleBy(planner, moment, random) {
  for (;;) {
    const dueAt = nextDueAt(planner.head.wallet);
    if (dueAt === null || dueAt > moment - JOB_LATE_MS) return;
    const at = Math.max(dueAt + JOB_LATE_MS, planner.head.wallet.lastAt);
    const { draft, operation } = settleDue(planner.head.wallet, at);
    const context = contextAt(at, random, { type: 'system', id: null });
    planner.add(draft, { entryId: idAt(at, random), now: at }, { operationId: operation, context });
  }
}

function contextAt(at, random, actor) {
  const id = idAt(at, random);
  return systemContext({ requestId: id, operationId: id, correlationId: id, actor });
}

/** Entries have the status that later ones gave them. */
function applyMarks(documents) {
  const byId = new Map(documents.map((document) => [document._id, document]));
  for (const { marks, created_at } of documents) {
    for (const { entry_id, status } of marks)
      Object.assign(byId.get(entry_id), { status, status_at: created_at });
  }
}

/**
 * The client as tiers know them, risen with each entry that counted, and the history of that.
 *
 * @returns {{ member: object, rows: Stored[] }}
 */
function membershipOf({ seed, workspaceId, tierSet, tiers }, client, entries) {
  const random = randomFrom(seed, 'tiers', client._id);
  const programme = programmeOf(tierSet, tiers);
  const joinedAt = client.date_created;
  const asOf = `${joinedAt.toISOString()}|${idAt(joinedAt.getTime(), random)}`;
  let member = introduce(
    strangerMember(workspaceId, client._id),
    introductionOf(client, { revision: client.revision, at: asOf }),
  );
  let at = joinedAt;
  /** @type {Stored[]} */
  const rows = [];
  const earns = entries.filter(({ type }) => type === 'earn');
  for (const entry of [null, ...earns]) {
    if (entry) {
      at = entry.created_at;
      const earned = { [entry.wallet_type_code]: entry.amount };
      member = count(member, { day: dayOf(at), ...NOTHING, earned }, at);
    }
    const settled = settleTier(member, programme, { mode: 'activity', now: at });
    member = { ...settled.member, revision: member.revision + 1 };
    if (settled.move) rows.push(historyRow(workspaceId, settled.move, entry, random));
  }
  rows.push({ kind: 'tiers.members', at: at.getTime(), document: toMemberDocument(member) });
  return { member, rows };
}

function historyRow(workspaceId, { clientId, from, to, at }, entry, random) {
  const document = {
    _id: idAt(at.getTime(), random),
    workspace_id: workspaceId,
    client_id: clientId,
    from_tier_id: from?.id ?? null,
    to_tier_id: to?.id ?? null,
    reason: entry ? 'activity' : 'enrollment',
    at,
  };
  return { kind: 'tiers.tier_history', at: at.getTime(), document };
}
