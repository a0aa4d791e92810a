import type { ConsumerSpec } from '@laurel/backend';
import type {
  MobileAppConfigDeleted,
  MobileAppConfigUpdated,
  WebhookDisabled,
} from '@laurel/events';
import type { Deps } from './deps';
import { putMobileAppAccess } from './use-cases/put-mobile-app-access';
import { removeWorkspaceData } from './use-cases/remove-workspace-data';
import { tellOfDisabledWebhook } from './use-cases/tell-of-disabled-webhook';

/** An update, or a deletion, which restricts nothing. */
type AppAccessChange = MobileAppConfigDeleted & Partial<MobileAppConfigUpdated>;

/** Which use case hears which event. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  {
    queue: 'identity.workspace-removal',
    bindings: ['identity.workspace_deleted'],
    prefetch: 1,
    handle: async (event, once) => removeWorkspaceData(deps, event.workspaceid!, once),
  },
  {
    queue: 'identity.webhook-notices',
    bindings: ['integrations.webhook_disabled'],
    handle: async (event, once) => tellOfDisabledWebhook(deps, event.data as WebhookDisabled, once),
  },
  {
    queue: 'identity.mobile-app-access',
    bindings: ['passes.mobile_app_config_updated', 'passes.mobile_app_config_deleted'],
    // Taking a state over twice, or an old one after a newer one, changes nothing: no inbox is needed.
    handle: async (event) => {
      const { is_enabled, allowed_role_ids, changed_at } = event.data as AppAccessChange;
      await putMobileAppAccess(deps, {
        workspace_id: event.workspaceid!,
        is_enabled: is_enabled ?? true,
        ...(allowed_role_ids ? { allowed_role_ids } : {}),
        changed_at,
      });
    },
  },
];
