import type { AppActionType } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { passes as api } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import {
  ACTIONS_MAX,
  type Action,
  type FormField,
  lastPlace,
  reordered,
} from '../../domain/mobile/mobile-app';
import { newAction } from '../../domain/mobile/new-action';
import { refusals } from '../../refusals';
import { type ChangeDeps, changeActions } from './change-mobile-app';
import { requireConfigReferences, requireMeans, requireRoles } from './require-references';
import { checkedActionConfig } from './schema/action-config';
import { toActionReply } from './wire';

type WriteDeps = ChangeDeps & Pick<MobileDeps, 'ledger' | 'tiers' | 'rewards'>;

/** Adds an action to the app, behind the others unless its place is named. */
export async function createAppAction(
  deps: WriteDeps,
  request: api.MobileAppActionFields,
): Promise<api.MobileAppAction> {
  const { workspace_id: workspaceId } = request;
  const type = request.action_type as AppActionType;
  const config = checkedActionConfig(type, request.action_config ?? {});
  await requireReferences(deps, request, config);
  await requireMeans(deps, workspaceId, type);
  const fields = { ...fieldsOf(request), name: request.name!, action_type: type };
  return changeActions(deps, workspaceId, ({ id, actions }) => {
    if (actions.length >= ACTIONS_MAX) throw refusals.tooManyActions();
    const action = newAction(newId(), lastPlace(actions), { ...fields, action_config: config });
    return {
      actions: [...actions, action],
      reply: (etag) => ({ ...toActionReply(id, action), etag }),
    };
  });
}

/** Changes an action. Its config must fit the type it then has, whichever of the two was sent. */
export async function updateAppAction(
  deps: WriteDeps,
  request: api.MobileAppActionFields,
): Promise<api.MobileAppAction> {
  const { workspace_id: workspaceId, id: actionId } = request;
  const { config } = await deps.mobileApps.find(workspaceId);
  const before = config?.actions.find(({ id }) => id === actionId);
  if (!before) throw refusals.mobileActionNotFound();
  const intended = changedAction(before, request);
  if (request.action_config !== undefined)
    await requireReferences(deps, request, intended.action_config);
  else await requireReferences(deps, request, {});
  if (intended.action_type !== before.action_type)
    await requireMeans(deps, workspaceId, intended.action_type);
  return changeActions(deps, workspaceId, ({ id, actions }) => {
    const current = actions.find((action) => action.id === actionId);
    if (!current) throw refusals.mobileActionNotFound();
    const changed = changedAction(current, request);
    const others = actions.map((action) => (action === current ? changed : action));
    return { actions: others, reply: (etag) => ({ ...toActionReply(id, changed), etag }) };
  });
}

export function deleteAppAction(
  deps: ChangeDeps,
  { workspace_id: workspaceId, id: actionId }: { workspace_id: string; id: string },
): Promise<Record<string, never>> {
  return changeActions(deps, workspaceId, ({ actions }) => {
    const left = actions.filter(({ id }) => id !== actionId);
    if (left.length === actions.length) throw refusals.mobileActionNotFound();
    return { actions: left, reply: () => ({}) };
  });
}

/** Puts the actions into the order of their ids, each of which must be named once. */
export function reorderAppActions(
  deps: ChangeDeps,
  { workspace_id: workspaceId, ids }: api.IdsRequest,
): Promise<api.MobileAppActionPositions> {
  return changeActions(deps, workspaceId, (config) => {
    const actions = reordered(config.actions, ids);
    if (!actions) throw refusals.incompleteActionOrder({ field: 'action_ids' });
    const positions = actions.map(({ id, sort_order }) => ({ id, sort_order }));
    return { actions, reply: (etag) => ({ actions: positions, etag }) };
  });
}

export async function locateAppAction(
  { mobileApps }: Pick<MobileDeps, 'mobileApps'>,
  { id }: api.RowRequest,
): Promise<api.RowLocation> {
  const workspaceId = await mobileApps.workspaceOfAction(id);
  if (workspaceId === null) throw refusals.mobileActionNotFound();
  return { workspace_id: workspaceId };
}

async function requireReferences(
  deps: WriteDeps,
  { workspace_id: workspaceId, allowed_role_ids: roleIds }: api.MobileAppActionFields,
  config: JsonObject,
): Promise<void> {
  await Promise.all([
    requireRoles(deps, workspaceId, roleIds as string[] | null | undefined),
    requireConfigReferences(deps, workspaceId, config),
  ]);
}

function changedAction(action: Action, request: api.MobileAppActionFields): Action {
  const changed = { ...action, ...fieldsOf(request) };
  const config = request.action_config ?? action.action_config;
  return { ...changed, action_config: checkedActionConfig(changed.action_type, config) };
}

/** Those that were sent, but for the config, which depends on the type. */
function fieldsOf(request: api.MobileAppActionFields): Partial<Action> {
  const fields: { [Name in keyof Action]?: Action[Name] | undefined } = {
    name: request.name,
    action_type: request.action_type as AppActionType | undefined,
    description: request.description,
    icon: request.icon,
    form_fields: request.form_fields as unknown as FormField[] | undefined,
    is_enabled: request.is_enabled,
    sort_order: request.sort_order,
    allowed_role_ids: request.allowed_role_ids as string[] | null | undefined,
  };
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Partial<Action>;
}
