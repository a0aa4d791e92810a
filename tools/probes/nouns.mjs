// Which row an id names: by the segment before it in a path, by its name in a body or query.

/** @type {Record<string, string>} */
const BY_SEGMENT = {
  'api-tokens': 'api_token',
  'campaign-actions': 'campaign_action',
  'client-import-jobs': 'client_import',
  'data-model': 'data_field',
  'import-jobs': 'sales_import',
  'inbox-messages': 'inbox_message',
  'mobile-app-actions': 'app_action',
  'mobile-app-users': 'mobile_user',
  'pass-templates': 'template',
  'resync-jobs': 'resync_job',
  'wallet-types': 'wallet_type',
  assets: 'file',
  automations: 'rule',
  backtests: 'backtest',
  campaigns: 'campaign',
  checkpoints: 'checkpoint',
  clients: 'client',
  clone: 'clone',
  statement: 'client',
  deliveries: 'delivery',
  distributions: 'distribution',
  events: 'event',
  files: 'file',
  invitation: 'invitation',
  ledger: 'entry',
  locks: 'lock',
  'outbound-jobs': 'outbound_job',
  members: 'user',
  operations: 'staff_operation',
  pushes: 'push',
  passes: 'pass',
  projects: 'project',
  redemptions: 'redemption',
  referrals: 'referral',
  rewards: 'reward',
  scan: 'barcode',
  segments: 'segment',
  templates: 'template',
  tiers: 'tier',
  webhooks: 'webhook',
};

/** @type {Record<string, string>} */
const BY_FIELD = {
  action_id: 'campaign_action',
  actor_id: 'user',
  allowed_role_id: 'role',
  automation_rule_id: 'rule',
  barcode_id: 'none',
  client_id: 'client',
  distribution_id: 'distribution',
  event_id: 'event',
  from_client_id: 'client',
  invitation_token: 'none',
  manual_client_id: 'client',
  pass_id: 'pass',
  pass_template_id: 'template',
  project_id: 'project',
  referee_client_id: 'client',
  referrer_client_id: 'client',
  reward_id: 'reward',
  rule_id: 'rule',
  segment_id: 'segment',
  source_client_id: 'client',
  target_client_id: 'client',
  target_template_id: 'template',
  template_id: 'template',
  tier_id: 'tier',
  tier_set_id: 'tier_set',
  to_client_id: 'client',
  user_id: 'stranger',
  visibility_segment: 'segment',
  visibility_tier: 'tier',
  wallet_type_id: 'wallet_type',
  webhook_id: 'webhook',
  workspace_id: 'workspace',
  workspace_user_id: 'user',
};

/** Names of other systems, or of anything else that no row of ours has. */
const NO_ROW = /^(external_id|source_id|issuer_id|ios_deeplink_id|original_external_id|id)$/;

/**
 * @param {string} path
 * @param {string} parameter
 * @returns {string | undefined} the noun; undefined where the parameter names no row of one workspace
 */
export function nounOfParameter(path, parameter) {
  if (parameter === 'workspaceId') return 'workspace';
  const segments = path.split('/');
  return BY_SEGMENT[segments[segments.indexOf(`{${parameter}}`) - 1] ?? ''];
}

/**
 * @param {string} field
 * @returns {string | undefined}
 */
export function nounOfField(field) {
  const noun = BY_FIELD[field] ?? BY_FIELD[field.replace(/s$/, '')];
  return noun === 'none' ? undefined : noun;
}

/** Whether the name of a field promises the id of a row. @param {string} field */
export function namesRow(field) {
  if (NO_ROW.test(field)) return false;
  return /(_id|_ids|Id|Ids)$/.test(field) || BY_FIELD[field.replace(/s$/, '')] !== undefined;
}

/** Whether this table knows the field, be it as naming nothing. @param {string} field */
export const isKnownField = (field) =>
  BY_FIELD[field] !== undefined || BY_FIELD[field.replace(/s$/, '')] !== undefined;
