import type { AppActionType, AppFieldType } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';

/** What the app asks before it runs an action; part 2, Mobile app action. */
export interface FormField {
  name: string;
  label: string;
  type: AppFieldType;
  [detail: string]: unknown;
}

/** Something that staff may do on a pass; `action_config` is of the form that its type takes. */
export interface Action {
  id: string;
  name: string;
  action_type: AppActionType;
  description: string | null;
  icon: string | null;
  action_config: JsonObject;
  form_fields: FormField[];
  is_enabled: boolean;
  sort_order: number;
  allowed_role_ids: string[] | null;
}

/** How a workspace set its staff app up. A list that is null restricts or hides nothing; an empty one admits no staff. */
export interface AppConfig {
  id: string;
  is_enabled: boolean;
  project_ids: string[] | null;
  allowed_role_ids: string[] | null;
  hidden_fields: string[] | null;
  app_config: JsonObject;
  actions: Action[];
}

/**
 * The staff app of one workspace. What is deleted leaves the app without a config, but with the moment of its last
 * change: a service that keeps a copy tells by it which of two changes came later.
 */
export interface MobileApp {
  workspaceId: string;
  config: AppConfig | null;
  changedAt: Date;
  /** When anything of it was changed last, its actions too. */
  editedAt?: Date;
  revision: number;
}

export const ACTIONS_MAX = 200;

/** A change comes after the one before it, whatever the clocks of two replicas say. */
export function changedApp(
  app: MobileApp,
  config: AppConfig | null,
  { now, touchesAccess }: { now: Date; touchesAccess: boolean },
): MobileApp {
  const next = Math.max(now.getTime(), app.changedAt.getTime() + 1);
  return { ...app, config, changedAt: touchesAccess ? new Date(next) : app.changedAt };
}

/** Whether a list of roles admits one; null admits all. */
export function admits(allowedRoleIds: readonly string[] | null, roleId: string): boolean {
  return allowedRoleIds === null || allowedRoleIds.includes(roleId);
}

/** Whether passes of a project are within reach of the app. */
export function reaches(config: AppConfig | null, projectId: string): boolean {
  return !config?.project_ids || config.project_ids.includes(projectId);
}

/** By sort_order; those of one place in the order in which they were made. */
export function inOrder(actions: readonly Action[]): Action[] {
  return [...actions].sort((a, b) => a.sort_order - b.sort_order);
}

/** What the app offers somebody of a role. */
export function actionsFor({ actions }: AppConfig, roleId: string): Action[] {
  return inOrder(actions).filter(
    (action) => action.is_enabled && admits(action.allowed_role_ids, roleId),
  );
}

/** The place behind all others. */
export function lastPlace(actions: readonly Action[]): number {
  return Math.max(-1, ...actions.map((action) => action.sort_order)) + 1;
}

/** The actions in the order of their ids; null unless `ids` names each exactly once. */
export function reordered(actions: readonly Action[], ids: readonly string[]): Action[] | null {
  const places = new Map(ids.map((id, place) => [id, place]));
  const isComplete =
    ids.length === actions.length &&
    places.size === actions.length &&
    actions.every(({ id }) => places.has(id));
  if (!isComplete) return null;
  return inOrder(actions.map((action) => ({ ...action, sort_order: places.get(action.id)! })));
}
