import { timezoneOf } from '../domain/timezone';
import type { WorkspaceRow } from '../store/workspaces';

/** What events say of a workspace. */
export function workspaceChanged({ _id, name, slug, settings }: WorkspaceRow) {
  return {
    workspace_id: _id,
    name,
    slug,
    default_currency: settings.default_currency,
    default_locale: settings.default_locale,
    timezone: timezoneOf(settings.timezone),
  };
}
