import { authKeys } from '@laurel/auth-cache';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { portalOf } from '../domain/portal';
import { timezoneOf } from '../domain/timezone';
import { refusals } from '../refusals';
import type { WorkspaceRow } from '../store/workspaces';
import { toPortalConfigReply } from './wire';

export async function getPortalConfig(
  { workspaces, config }: Deps,
  { workspace_id }: identity.WorkspaceRequest,
): Promise<identity.PortalConfig> {
  const row = await workspaces.find(workspace_id);
  if (!row) throw refusals.notAMember();
  return toPortalConfigReply(row, config.publicUrl);
}

/** What anybody may see of a portal that is switched on. */
export async function findPortal(
  deps: Pick<Deps, 'workspaces' | 'config'>,
  { slug }: identity.SlugRequest,
): Promise<identity.Portal> {
  const row = await openPortal(deps, slug);
  const { config } = toPortalConfigReply(row, deps.config.publicUrl);
  const { default_locale, timezone } = row.settings;
  return { config: config!, default_locale, timezone: timezoneOf(timezone) };
}

/** Lets tokens of a portal in: it is there, switched on, and they are not from before its sessions were ended. */
export function resolvePortal(
  { cache, workspaces }: Deps,
  { workspace_id }: identity.WorkspaceRequest,
): Promise<identity.OpenPortal> {
  return cache.fill(authKeys.portal(workspace_id), async () => {
    const row = await workspaces.find(workspace_id);
    // A deleted workspace is 403 for everyone (part 3, section 1.1).
    if (!row) throw refusals.workspaceDeleted();
    if (!portalOf(row.portal).is_enabled)
      throw refusals.portalOff({ extensions: { locale: row.settings.default_locale } });
    return { workspace_id, sessions_since: portalSessionsSince(row) };
  });
}

/** The moment before which sessions of the portal do not count, in milliseconds; 0 where there was none. */
export function portalSessionsSince({ portal_sessions_since }: WorkspaceRow): number {
  return portal_sessions_since?.getTime() ?? 0;
}

/** The workspace behind the address of a portal; RECORD_NOT_FOUND when there is none or it is off. */
export async function openPortal(
  { workspaces }: Pick<Deps, 'workspaces'>,
  slug: string,
): Promise<WorkspaceRow> {
  const row = await workspaces.findBySlug(slug);
  if (!row) throw refusals.unknownPortalWorkspace();
  if (!portalOf(row.portal).is_enabled)
    throw refusals.portalOff({ extensions: { locale: row.settings.default_locale } });
  return row;
}
