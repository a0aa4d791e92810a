import type { JsonObject } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { etagOf, requireUnchanged, type Session, unitOfWork, versionOf } from '@laurel/mongo';
import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { originOf } from '../../outside/providers/base-url';
import type { Provider } from '../../outside/providers/provider';
import {
  type IntegrationRow,
  integrationBinding,
  type SealedSecret,
} from '../../store/integrations';
import { announceInbox, openInbox } from '../inbox/save-inbox';
import {
  mergeConfig,
  requireAtHome,
  requireConfig,
  requirePrerequisites,
  requireSecrets,
} from './check-integration';
import { removeRemains } from './remove-remains';
import { requireProvider } from './require-integration';
import { toIntegrationReply } from './wire';

const LAST_CHARACTERS = 4;

interface Saving {
  provider: Provider;
  request: api.PutIntegrationRequest;
  session: Session;
}

interface Saved {
  row: IntegrationRow;
  /** Only where an inbox was made. */
  token?: string;
}

/**
 * Configures an integration: what is not sent stays as it is. Switching receiving on makes the inbox, whose token is
 * in this answer and in no other.
 */
export async function putIntegration(
  deps: IntegrationDeps,
  request: api.PutIntegrationRequest,
): Promise<api.SavedIntegration> {
  const provider = requireProvider(request.provider);
  const name = { workspaceId: request.workspace_id, provider: provider.slug };
  // In pieces, before the change: there may be as many as there are clients.
  if (!(await deps.integrations.get(name.workspaceId, name.provider)))
    await removeRemains(deps, name);
  const { row, token } = await unitOfWork(deps.connection, (session) =>
    save(deps, { provider, request, session }),
  );
  if (row.inbox_id !== null) {
    await deps.messages.wake(row.workspace_id, row.inbox_id, deps.clock.now());
    deps.soon.inbox();
  }
  if (row.enabled_outbound) deps.soon.outbound();
  const data = {
    ...toIntegrationReply(row, deps.settings.publicUrl, token),
    etag: etagOf(versionOf(row)),
  };
  if (token === undefined) return { data };
  const warning = await announceInbox(deps, provider, { row, token });
  return { data, token, ...(warning === undefined ? {} : { save_warning: warning }) };
}

async function save(deps: IntegrationDeps, { provider, request, session }: Saving): Promise<Saved> {
  const now = deps.clock.now();
  const { workspace_id: workspaceId } = request;
  await deps.integrations.lock(workspaceId, provider.slug, session);
  const before = await deps.integrations.get(workspaceId, provider.slug, session);
  const base = before ?? blank(workspaceId, provider.slug, now);
  const config = mergeConfig(base.config, request.config as JsonObject | undefined);
  requireConfig(provider, config, deps.settings);
  const sent = requireSecrets(provider, request.secrets);
  const secrets = mergeSecrets(deps, base, { sent, config, now });
  requireAtHome(provider, secrets, originOf(config));
  const row: IntegrationRow = {
    ...base,
    enabled_inbound: request.enabled_inbound ?? base.enabled_inbound,
    enabled_outbound: request.enabled_outbound ?? base.enabled_outbound,
    config,
    secrets,
    date_updated: now,
  };
  requirePrerequisites(provider, { ...row, secretKeys: new Set(secrets.map(({ key }) => key)) });
  requireUnchanged(before && versionOf(before));
  const opened =
    row.enabled_inbound && row.inbox_id === null
      ? await openInbox(deps, row, { now, session })
      : undefined;
  if (opened) row.inbox_id = opened.inboxId;
  const token = opened ? { token: opened.token } : {};
  if (!before) await removeLastRemains(deps, row, session);
  if (row.enabled_outbound) await startTelling(deps, base, { request, provider, session });
  if (before) return { row: await deps.integrations.replace(row, session), ...token };
  await deps.integrations.insert(row, session);
  return { row, ...token };
}

/** What was removed only since it was looked for: as a rule nothing. What an integration before this one has sent is unknown to it. */
async function removeLastRemains(
  { outboundJobs }: IntegrationDeps,
  { workspace_id: workspaceId, provider }: IntegrationRow,
  session: Session,
): Promise<void> {
  while ((await outboundJobs.removePiece(workspaceId, provider, session)).more);
}

/**
 * Has an outside system hear of all clients where that was switched on, and of what it refused where that may have been put
 * right, in pieces after the change: there may be as many as there are clients.
 */
async function startTelling(
  { backfills, outboundJobs, outboundRetries, clock }: IntegrationDeps,
  { workspace_id: workspaceId, enabled_outbound: wasOn }: IntegrationRow,
  { provider: { slug: provider }, request, session }: Saving,
): Promise<void> {
  const now = clock.now();
  if (!wasOn) {
    await backfills.start(workspaceId, provider, { now, session });
    await outboundJobs.release(workspaceId, { provider, now }, session);
  }
  if (!wasOn || request.config !== undefined || request.secrets !== undefined)
    await outboundRetries.start(workspaceId, provider, { now, session });
}

function blank(workspaceId: string, provider: string, now: Date): IntegrationRow {
  return {
    _id: newId(),
    workspace_id: workspaceId,
    provider,
    enabled_inbound: false,
    enabled_outbound: false,
    inbox_id: null,
    config: {},
    secrets: [],
    last_synced_at: null,
    last_error: null,
    revision: 1,
    date_created: now,
    date_updated: now,
  };
}

/** What is shown of a secret: its end, unless that is all of it. */
const endingOf = (secret: string): string =>
  secret.length > LAST_CHARACTERS ? secret.slice(-LAST_CHARACTERS) : '****';

interface SentSecrets {
  sent: ReadonlyMap<string, string | null>;
  /** As it is to be. */
  config: JsonObject;
  now: Date;
}

/** One that came before any address belongs to the first there is. */
function mergeSecrets(
  { vault }: Pick<IntegrationDeps, 'vault'>,
  { workspace_id, provider, secrets, config: before }: IntegrationRow,
  { sent, config, now }: SentSecrets,
): SealedSecret[] {
  const origin = originOf(config);
  const kept = secrets
    .filter(({ key }) => !sent.has(key))
    .map((secret) => ({ ...secret, origin: secret.origin ?? originOf(before) ?? origin }));
  const set = [...sent].flatMap(([key, value]): SealedSecret[] => {
    if (value === null) return [];
    const sealed = vault.seal(Buffer.from(value), integrationBinding(workspace_id, provider, key));
    return [{ key, sealed, last4: endingOf(value), rotated_at: now, origin }];
  });
  return [...kept, ...set];
}
