import type { passes as api } from '@laurel/rpc';
import type { Deps } from '../deps';

/** What of cards, forms and the till a workspace has set up. */
export async function getSetup(
  {
    templates,
    distributions,
    mobileApps,
    credentials,
  }: Pick<Deps, 'templates' | 'distributions' | 'mobileApps' | 'credentials'>,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.Setup> {
  const [card, form, app, wallets] = await Promise.all([
    templates.hasAny(workspaceId),
    distributions.hasAny(workspaceId),
    mobileApps.find(workspaceId),
    credentials.status(workspaceId),
  ]);
  return { card, form, till: app.config?.is_enabled ?? false, wallets };
}
