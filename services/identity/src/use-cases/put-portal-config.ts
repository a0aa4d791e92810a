import { authKeys } from '@laurel/auth-cache';
import { createEvent } from '@laurel/events';
import { unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { PortalSettings } from '../domain/portal';
import { sanitizeStylesheet } from '../outside/stylesheets';
import { refusals } from '../refusals';
import { toPortalConfig } from '../store/mapping';

/**
 * Sets what is named of a workspace's portal and leaves the rest; one write, so that two at once do not
 * mix halves. Switching it off ends the worth of every portal token with the next request;
 * another way of signing in ends those that are there. Cards that lead to it hear of it.
 */
export async function putPortalConfig(
  deps: Deps,
  { workspace_id, ...named }: identity.PutPortalConfigRequest,
): Promise<identity.PortalConfig> {
  const { cache, workspaces } = deps;
  const changes = toSettings(named);
  const row = await cache.revoke([authKeys.portal(workspace_id)], () =>
    Object.keys(changes).length === 0
      ? workspaces.find(workspace_id)
      : write(deps, workspace_id, changes),
  );
  if (!row) throw refusals.notAMember();
  return toPortalConfig(row, deps.config.publicUrl);
}

function write(
  { connection, outbox, workspaces, clock }: Deps,
  workspaceId: string,
  changes: Partial<PortalSettings>,
) {
  return unitOfWork(connection, async (session) => {
    const row = await workspaces.updatePortal(workspaceId, changes, {
      now: clock.now(),
      session,
    });
    const data = { workspace_id: workspaceId, changed: ['portal'] };
    const about = { workspaceId, subject: workspaceId };
    if (row)
      await outbox.append([createEvent('identity.settings_updated', { ...about, data })], session);
    return row;
  });
}

function toSettings({
  custom_css,
  primary_color,
  background_color,
  ...rest
}: Omit<identity.PutPortalConfigRequest, 'workspace_id'>): Partial<PortalSettings> {
  const changes: { [Name in keyof PortalSettings]?: PortalSettings[Name] | undefined } = {
    ...(rest as Partial<PortalSettings>),
    custom_css: custom_css ? sanitizeStylesheet(custom_css) : custom_css,
    // Null is nothing said: then the brand's, or the default.
    ...({ primary_color, background_color } as Partial<PortalSettings>),
  };
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Partial<PortalSettings>;
}
