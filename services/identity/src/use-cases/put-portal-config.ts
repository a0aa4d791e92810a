import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { defaultPortal, type PortalSettings } from '../domain/portal';
import { sanitizeStylesheet } from '../outside/stylesheets';
import { setPart } from './set-part';
import { toPortalConfigReply } from './wire';

/**
 * Sets what is named of a workspace's portal and leaves the rest. Switching it off ends the worth of every portal token with
 * the next request; another way of signing in ends those that are there.
 */
export async function putPortalConfig(
  deps: Deps,
  { workspace_id, ...named }: identity.PutPortalConfigRequest,
): Promise<identity.PortalConfig> {
  const changes = toSettings(named);
  const { login_mode: mode } = changes;
  const own = { workspaceId: workspace_id, part: 'portal' } as const;
  const row = await setPart(deps, own, ({ portal }, now) => {
    const before = portal?.login_mode ?? defaultPortal.login_mode;
    const isAnotherWay = mode !== undefined && mode !== before;
    return { changes, sessionsSince: isAnotherWay ? now : undefined };
  });
  return toPortalConfigReply(row, deps.config.publicUrl);
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
