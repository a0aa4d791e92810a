import type { ConsumerSpec } from '@laurel/backend';
import type { Deps } from './deps';
import { putMobileAppAccess } from './use-cases/put-mobile-app-access';
import { removeWorkspaceData } from './use-cases/remove-workspace-data';
import { tellOfDisabledWebhook } from './use-cases/tell-of-disabled-webhook';

/** Which use case hears which event. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  {
    queue: 'identity.workspace-removal',
    prefetch: 1,
    handlers: {
      'identity.workspace_deleted': ({ workspaceid }) => removeWorkspaceData(deps, workspaceid),
    },
  },
  {
    queue: 'identity.webhook-notices',
    handlers: {
      'integrations.webhook_disabled': ({ data }, once) => tellOfDisabledWebhook(deps, data, once),
    },
  },
  {
    queue: 'identity.mobile-app-access',
    // Taking a state over twice, or an old one after a newer one, changes nothing: no inbox is needed.
    handlers: {
      'passes.mobile_app_config_updated': async ({ workspaceid: workspace_id, data }) => {
        const { is_enabled, allowed_role_ids, changed_at } = data;
        const access = { workspace_id, is_enabled, changed_at };
        await putMobileAppAccess(deps, {
          ...access,
          ...(allowed_role_ids ? { allowed_role_ids } : {}),
        });
      },
      // Without a configuration nothing is restricted.
      'passes.mobile_app_config_deleted': async ({ workspaceid: workspace_id, data }) => {
        const { changed_at } = data;
        await putMobileAppAccess(deps, { workspace_id, is_enabled: true, changed_at });
      },
    },
  },
];
