import Joi from 'joi';
import { defineEvent } from './define';
import { id, name, sample, text, timestamp } from './fields';

export interface WorkspaceChanged {
  workspace_id: string;
  name: string;
  slug: string;
  default_currency: string;
  default_locale: string;
  /** IANA name; absent in events from before workspaces had one: UTC. */
  timezone?: string;
}
export interface WorkspaceCreated extends WorkspaceChanged {
  creator_id: string;
}
export interface WorkspaceDeleted {
  workspace_id: string;
}
export interface SettingsUpdated {
  workspace_id: string;
  /** Names of the settings that changed; their values are read from identity. */
  changed: string[];
}
export interface MemberChanged {
  workspace_id: string;
  user_id: string;
  role: string;
}
export interface MemberRoleChanged extends MemberChanged {
  previous_role: string;
}
export interface UserSessionsRevoked {
  user_id: string;
  /** Sessions issued before this moment are dead. */
  revoked_at: string;
}

const workspace = {
  workspace_id: id(),
  name: name(),
  slug: name(),
  default_currency: text(),
  default_locale: text(),
  timezone: Joi.string(),
};
const member = { workspace_id: id(), user_id: id(), role: name() };
const workspaceExample: WorkspaceChanged = {
  workspace_id: sample.workspaceId,
  name: 'Coffee Corner',
  slug: 'coffee-corner',
  default_currency: 'EUR',
  default_locale: 'en',
  timezone: 'Europe/Berlin',
};
const memberExample: MemberChanged = {
  workspace_id: sample.workspaceId,
  user_id: sample.userId,
  role: 'member',
};

const internal = { webhook: null, version: 1, source: 'identity' } as const;

/** Workspaces, their settings and members; all internal. */
export const identityEvents = [
  defineEvent({
    ...internal,
    type: 'identity.workspace_created',
    description: 'A workspace exists; services may prepare what every workspace has.',
    schema: Joi.object<WorkspaceCreated>({ ...workspace, creator_id: id() }),
    example: { ...workspaceExample, creator_id: sample.userId },
  }),
  defineEvent({
    ...internal,
    type: 'identity.workspace_updated',
    description: 'The name, slug, currency, locale or time zone of a workspace changed.',
    schema: Joi.object<WorkspaceChanged>(workspace),
    example: workspaceExample,
  }),
  defineEvent({
    ...internal,
    type: 'identity.workspace_deleted',
    description: 'A workspace is gone; every service removes what it holds of it.',
    schema: Joi.object<WorkspaceDeleted>({ workspace_id: id() }),
    example: { workspace_id: sample.workspaceId },
  }),
  defineEvent({
    ...internal,
    type: 'identity.settings_updated',
    description: 'Settings of a workspace changed; caches of them are stale.',
    schema: Joi.object<SettingsUpdated>({
      workspace_id: id(),
      changed: Joi.array().items(Joi.string()).required(),
    }),
    example: { workspace_id: sample.workspaceId, changed: ['default_locale'] },
  }),
  defineEvent({
    ...internal,
    type: 'identity.member_added',
    description: 'A user became a member of a workspace.',
    schema: Joi.object<MemberChanged>(member),
    example: memberExample,
  }),
  defineEvent({
    ...internal,
    type: 'identity.member_removed',
    description: 'A user is no longer a member of a workspace; cached rights are stale.',
    schema: Joi.object<MemberChanged>(member),
    example: memberExample,
  }),
  defineEvent({
    ...internal,
    type: 'identity.member_role_changed',
    description: 'A member has another role; cached rights are stale.',
    schema: Joi.object<MemberRoleChanged>({ ...member, previous_role: name() }),
    example: { ...memberExample, role: 'admin', previous_role: 'member' },
  }),
  defineEvent({
    ...internal,
    type: 'identity.user_sessions_revoked',
    description: 'Every session of a user ended (password reset, sign-out everywhere).',
    schema: Joi.object<UserSessionsRevoked>({ user_id: id(), revoked_at: timestamp() }),
    example: { user_id: sample.userId, revoked_at: sample.at },
  }),
] as const;
