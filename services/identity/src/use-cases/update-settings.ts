import { createEvent } from '@laurel/events';
import { requireUnchanged, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireCurrency } from '../domain/currency';
import { requireTimezone } from '../domain/timezone';
import { refusals } from '../refusals';
import { versionOfPart } from '../store/workspaces';
import { toSettingsReply } from './wire';
import { workspaceChanged } from './workspace-events';

export async function updateSettings(
  { connection, outbox, workspaces, clock }: Deps,
  {
    workspace_id,
    default_currency,
    default_locale,
    timezone,
    reply_to,
  }: identity.UpdateSettingsRequest,
): Promise<identity.Settings> {
  const changes = {
    ...(default_currency === undefined
      ? {}
      : { default_currency: requireCurrency(default_currency) }),
    ...(default_locale === undefined ? {} : { default_locale }),
    ...(timezone === undefined ? {} : { timezone: requireTimezone(timezone) }),
    ...(reply_to === undefined ? {} : { reply_to }),
  };
  return unitOfWork(connection, async (session) => {
    const before = await workspaces.find(workspace_id, session);
    if (!before) throw refusals.notAMember();
    requireUnchanged(versionOfPart(before, 'settings'));
    const changed = Object.keys(changes);
    if (changed.length === 0) return toSettingsReply(before);
    const now = clock.now();
    const stamped = { ...changes, updated_at: now };
    const change = { part: 'settings', changes: stamped, now } as const;
    const row = await workspaces.setPart(before, change, session);
    const about = { workspaceId: workspace_id, subject: workspace_id };
    await outbox.append(
      [
        createEvent('identity.settings_updated', { ...about, data: { workspace_id, changed } }),
        createEvent('identity.workspace_updated', { ...about, data: workspaceChanged(row) }),
      ],
      session,
    );
    return toSettingsReply(row);
  });
}
