import Joi from 'joi';
import { defineEvent } from './define';
import { flag, id, sample, timestamp } from './fields';

export interface MobileAppConfigUpdated {
  workspace_id: string;
  is_enabled: boolean;
  /** Workspace roles that may use the app; null when all may. */
  allowed_role_ids: string[] | null;
  /** When the config changed; an older state never replaces a newer one. */
  changed_at: string;
}
export interface MobileAppConfigDeleted {
  workspace_id: string;
  changed_at: string;
}

const internal = { webhook: null, version: 1, source: 'passes' } as const;

/** Who may use the staff app of a workspace. */
export const mobileAppEvents = [
  defineEvent({
    ...internal,
    type: 'passes.mobile_app_config_updated',
    description: 'The config of the staff app was created or changed.',
    schema: Joi.object<MobileAppConfigUpdated>({
      workspace_id: id(),
      is_enabled: flag(),
      allowed_role_ids: Joi.array().items(Joi.string().guid()).allow(null).required(),
      changed_at: timestamp(),
    }),
    example: {
      workspace_id: sample.workspaceId,
      is_enabled: true,
      allowed_role_ids: null,
      changed_at: sample.at,
    },
  }),
  defineEvent({
    ...internal,
    type: 'passes.mobile_app_config_deleted',
    description: 'The config of the staff app is gone; nothing restricts the app any more.',
    schema: Joi.object<MobileAppConfigDeleted>({ workspace_id: id(), changed_at: timestamp() }),
    example: { workspace_id: sample.workspaceId, changed_at: sample.at },
  }),
] as const;
