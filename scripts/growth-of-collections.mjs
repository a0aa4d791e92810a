// How each collection grows, what ends that, and by what it could be divided over shards: what `growth` says in the
// declaration of a collection (packages/mongo/src/growth.ts), for those that are not declared with `collection()` yet.
// A test asks it of every collection with indexes; docs/scaling.md is made of it.

/** @typedef {import('@laurel/mongo').Growth} Growth */

/** @param {string} per @param {string} end @returns {Growth} */
const few = (per, end) => ({ per, end, shardKey: 'whole' });

/** @param {string} per @param {string} end @param {Record<string, string>} [wayOut] @returns {Growth} */
const hashed = (per, end, wayOut) => ({
  per,
  end,
  shardKey: 'hashed _id',
  ...(wayOut ? { wayOut } : {}),
});

/** @param {string} per @param {string} end @param {string[]} shardKey @param {Record<string, string>} [wayOut] @returns {Growth} */
const by = (per, end, shardKey, wayOut) => ({ per, end, shardKey, ...(wayOut ? { wayOut } : {}) });

const OF_CLIENT = 'stays: goes with its client';
const OF_PASS = 'stays: goes with its pass';
const SET_UP = 'stays: what a workspace has set up';
const SUMS =
  'hours after 4 days; days stay: some 300 bytes each, and those who were deleted since could not be counted again';
const SLOT =
  'a slot: a document whose `_id` is the digest of what must be one, taken before the row';

/** @type {Record<string, Record<string, Growth>>} */
export const growthOfCollections = {
  clients: {
    address_proofs: hashed('client', OF_CLIENT),
    backfills: few('once', 'stays: one row for each thing that is made once'),
    activity_marks: hashed(
      'day that was told of late',
      'stays: as many as days at most; a count that is kept rests on it',
    ),
    activity_tallies: hashed('day and zone', '100 days'),
    clients: hashed('client', 'stays: until somebody deletes it', {
      email_unique: `${SLOT} (the address)`,
    }),
    daily_signups: few('workspace and day', SUMS),
    events: by(
      'event',
      'stays: listed for ever; of a deleted client RETENTION_ORPHANED_CLIENT_EVENTS_DAYS',
      ['workspace_id', 'client_id'],
      {
        external_id_unique: `${SLOT} (the external id); events without a client take their own id`,
      },
    ),
    field_definitions: few('field', SET_UP),
    external_identities: by('client and provider', OF_CLIENT, ['workspace_id', 'client_id'], {
      external_id_unique: `${SLOT} (provider and external id), which is the second direction`,
    }),
    import_jobs: few('upload', 'stays: listed; its chunks go when it ends'),
    import_chunks: by('piece of an upload', 'when its import ends', ['job_id']),
    client_metrics: hashed('client', OF_CLIENT),
    pass_index: hashed('pass', OF_PASS),
    processes: hashed('merge, erasure or deletion', '30 days after its end'),
    client_profiles: hashed('client', OF_CLIENT),
    client_search: hashed('client', OF_CLIENT),
    segments: few('segment', SET_UP),
    segment_locks: few('workspace', SET_UP),
    tombstones: hashed('deleted client', 'stays: an old event may come again at any time'),
  },
  identity: {
    sessions: few('login', 'when it ends'),
    refresh_tokens: few('refresh of a login', '7 days after it ends'),
    users: few('user', 'stays: accounts of staff; the directory of all cells'),
    pairing_codes: few('pairing of a phone', 'when it ends'),
    api_tokens: few('token', SET_UP),
    email_verifications: few('mail that asks', 'when it ends'),
    mobile_users: few('user of the app', 'stays: until the workspace deletes it'),
    reset_requests: few('mail that waits', 'when it was sent'),
    password_resets: few('mail', 'when it ends'),
    mobile_sessions: few('phone of staff', 'when it ends'),
    mobile_refresh_tokens: few('refresh of a phone', '7 days after it ends'),
    members: few('member of staff', SET_UP),
    portal_code_requests: few('mail that waits', 'when it was sent'),
    portal_codes: few('sign-in to the portal', 'a while after it ends'),
    workspaces: few('workspace', 'stays: until it is deleted'),
    known_sources: few('address and where it signed in from', '90 days without use'),
    invitations: few('invitation', 'stays: listed; some of a workspace'),
    portal_logouts: few('sign-out of the portal', 'when the session would have ended'),
    audit_log: by('change by staff or an API token', 'RETENTION_AUDIT_LOG_DAYS (730)', [
      'workspace_id',
      'at',
    ]),
    mail_counts: few('address and day', 'when they no longer count'),
    messages: few('mail on its way', 'when it was sent'),
  },
  ledger: {
    signing_keys: few('installation', 'stays: checkpoints are verified by it'),
    wallet_lots: hashed('wallet with many lots', 'stays: goes with its workspace'),
    entries: by(
      'operation',
      'stays: the log is the truth; years that are closed to cold storage under their checkpoint (not built)',
      ['workspace_id', 'wallet_id'],
      {
        operation:
          'takes the wallet in: who calls knows it, and `operations` keeps a key to one wallet',
        claim: 'takes the wallet in: a claim names it already',
      },
    ),
    wallets: hashed('client and wallet type', OF_CLIENT),
    wallet_types: few('wallet type', SET_UP),
    loyalty_configs: few('workspace', SET_UP),
    purchase_refunds: by(
      'refunded purchase',
      'stays: what says that all refunds of a purchase are at most the whole',
      ['workspace_id', 'source_id'],
    ),
    checkpoints: by(
      'workspace and hour',
      'RETENTION_HOURLY_CHECKPOINTS_DAYS (90), the last of each day stays: evidence',
      ['workspace_id', 'at'],
    ),
    daily_sums: few('workspace and day', SUMS),
  },
  passes: {
    daily_passes: few('workspace and day', SUMS),
    files: hashed('upload', 'stays: a card shows it'),
    file_contents: hashed('upload', 'stays: a card shows it; belongs into an object store'),
    image_urls: by('image from elsewhere', 'stays: a card shows it', ['workspace_id', 'url']),
    former_barcodes: by('barcode that was changed', OF_PASS, ['workspace_id', 'value']),
    passes: hashed('pass', 'stays: until somebody deletes it', {
      barcode_unique: `${SLOT} (the barcode)`,
      one_per_client: `${SLOT} (client and template)`,
    }),
    pass_updates: hashed('pass with a change', 'when phones have it'),
    projects: few('project', SET_UP),
    retired_passes: hashed('pass that ended', '30 days, as long as phones show the empty card'),
    pass_templates: few('template', SET_UP),
    template_doors: few('template', SET_UP),
    template_refreshes: few('template that was changed', 'when all of its passes are drawn'),
    wallet_contents: hashed('pass', OF_PASS),
    google_objects: hashed('pass', OF_PASS),
    wallet_installs: hashed('pass', OF_PASS),
    google_callbacks: hashed('message of Google', 'when it could no longer come again'),
    apple_registrations: by('phone and pass', OF_PASS, ['device_id']),
    distributions: few('distribution', SET_UP),
    enrollments: hashed('form that was sent', '8 days'),
    enrollment_confirmations: hashed('form that waits for its mail', 'when it ends'),
    enrollment_mails: hashed('address and day', '2 days'),
    submissions: few('distribution', SET_UP),
    resends: hashed('pass and day', '2 days'),
    messages: few('mail on its way', 'when it was sent'),
    mobile_apps: few('workspace', SET_UP),
    staff_operations: hashed('act of staff on a pass', '400 days'),
  },
  tiers: {
    tier_history: by('move', 'stays: listed; ids only', ['workspace_id', 'client_id']),
    members: hashed(
      'client',
      'stays: of deleted ones what keeps old events from bringing them back',
    ),
    passes: hashed('pass', OF_PASS),
    resync_jobs: few('change of the rules', '90 days'),
    tier_sets: few('workspace', SET_UP),
    tiers: few('tier', SET_UP),
    deleted_workspaces: few('deleted workspace', 'when no event of it can come any more'),
  },
};
