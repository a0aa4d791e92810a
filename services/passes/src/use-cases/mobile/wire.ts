import type { Json } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import { type Action, type AppConfig, inOrder } from '../../domain/mobile/mobile-app';

export function toActionReply(configId: string, action: Action): api.MobileAppAction {
  const { id, form_fields, ...columns } = action;
  return {
    id,
    mobile_app_config_id: configId,
    ...columns,
    form_fields: form_fields as unknown as Json,
  };
}

export function toConfigReply(workspaceId: string, config: AppConfig): api.MobileAppConfig {
  const { id, ...columns } = config;
  return {
    id,
    workspace_id: workspaceId,
    ...columns,
    actions: inOrder(config.actions).map((action) => toActionReply(config.id, action)),
  };
}
