import { createEvent } from '@laurel/events';
import { createInTurn, newId } from '@laurel/lifecycle';
import { commitOnce, etagOf, requireUnchanged, type Session, versionOf } from '@laurel/mongo';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { LoyaltyConfigDocument, LoyaltyConfigPatch } from '../store/loyalty-configs';
import { toConfigReply } from './wire';

type Fields = ledger.LoyaltyConfigFields;
type Reply = ledger.LoyaltyConfigReply;

/** Makes the config; refused where there is one. */
export function createLoyaltyConfig(deps: Deps, fields: Fields): Promise<Reply> {
  return commitOnce(deps.connection, async (session) => {
    if (await deps.configs.find(fields.workspace_id, session)) throw refusals.configExists();
    return insert(deps, fields, session);
  });
}

/** Changes what is named of the config, under the version that the caller saw where they named one. */
export function updateLoyaltyConfig(deps: Deps, fields: Fields): Promise<Reply> {
  return commitOnce(deps.connection, async (session) => {
    const read = await deps.configs.find(fields.workspace_id, session);
    if (!read) throw refusals.configMissing();
    return update(deps, { read, fields }, session);
  });
}

/** Requests of one process for one workspace compete with those of other processes only. */
const inTurn = createInTurn();

/** Updates the config, or creates it where there is none; of many who create it at once the rest update. */
export function putLoyaltyConfig(deps: Deps, fields: Fields): Promise<Reply> {
  return inTurn(fields.workspace_id, () =>
    commitOnce(deps.connection, async (session) => {
      const read = await deps.configs.find(fields.workspace_id, session);
      if (read) return update(deps, { read, fields }, session);
      requireUnchanged(null);
      return insert(deps, fields, session);
    }),
  );
}

async function insert(deps: Deps, fields: Fields, session: Session): Promise<Reply> {
  const now = new Date(deps.now());
  const document: LoyaltyConfigDocument = {
    _id: newId(),
    workspace_id: fields.workspace_id,
    program_name: fields.program_name ?? null,
    program_currency: fields.program_currency ?? 'points',
    settings: (fields.settings ?? {}) as Record<string, unknown>,
    revision: 0,
    date_created: now,
    date_updated: now,
  };
  await deps.configs.insert(document, session);
  await announce(deps, document, session);
  return { config: toConfigReply(document), created: true };
}

async function update(
  deps: Deps,
  { read, fields }: { read: LoyaltyConfigDocument; fields: Fields },
  session: Session,
): Promise<Reply> {
  requireUnchanged(versionOf(read));
  const patch: LoyaltyConfigPatch = { date_updated: new Date(deps.now()) };
  if (fields.program_name !== undefined) patch.program_name = fields.program_name;
  if (fields.program_currency !== undefined) patch.program_currency = fields.program_currency;
  if (fields.settings !== undefined) patch.settings = fields.settings as Record<string, unknown>;
  const document = await deps.configs.update(read, patch, session);
  await announce(deps, document, session);
  return {
    config: { ...toConfigReply(document), etag: etagOf(versionOf(document)) },
    created: false,
  };
}

async function announce(
  { outbox }: Deps,
  document: LoyaltyConfigDocument,
  session: Session,
): Promise<void> {
  const { workspace_id, program_name, program_currency } = document;
  await outbox.append(
    [
      createEvent('loyalty.config_updated', {
        workspaceId: workspace_id,
        subject: workspace_id,
        data: { workspace_id, program_name, program_currency },
      }),
    ],
    session,
  );
}
