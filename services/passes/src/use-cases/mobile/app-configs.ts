import { languageOf } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { passes as api } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import type { AppConfig } from '../../domain/mobile/mobile-app';
import { defaultActions } from '../../domain/mobile/new-action';
import { refusals } from '../../refusals';
import { appEtagOf, type ChangeDeps, changeAccess } from './change-mobile-app';
import { requireProjects, requireRoles } from './require-references';
import { toConfigReply } from './wire';

type WriteDeps = ChangeDeps & Pick<MobileDeps, 'projects'>;
type Workspace = { workspace_id: string };

export async function getAppConfig(
  { mobileApps }: Pick<MobileDeps, 'mobileApps'>,
  { workspace_id: workspaceId }: Workspace,
): Promise<api.MobileAppConfigReply> {
  const app = await mobileApps.find(workspaceId);
  if (!app.config) return {};
  return { config: { ...toConfigReply(workspaceId, app.config), etag: appEtagOf(app) } };
}

/** Sets the app up, with four actions to begin with, named in the language of the workspace. A workspace that has an app already is refused. */
export async function createAppConfig(
  deps: WriteDeps,
  request: api.MobileAppConfigFields,
): Promise<api.MobileAppConfig> {
  const { workspace_id: workspaceId } = request;
  const [fields, settings] = await Promise.all([
    checkedFields(deps, request),
    deps.identity.GetSettings({ workspace_id: workspaceId }),
  ]);
  const language = languageOf(settings.default_locale);
  return changeAccess(deps, workspaceId, (current) => {
    if (current) throw refusals.mobileAppExists();
    const config: AppConfig = {
      is_enabled: true,
      project_ids: null,
      allowed_role_ids: null,
      hidden_fields: null,
      app_config: {},
      ...fields,
      id: newId(),
      actions: defaultActions(language, newId),
    };
    return { config, reply: () => toConfigReply(workspaceId, config) };
  });
}

export async function updateAppConfig(
  deps: WriteDeps,
  request: api.MobileAppConfigFields,
): Promise<api.MobileAppConfig> {
  const { workspace_id: workspaceId } = request;
  const fields = await checkedFields(deps, request);
  return changeAccess(deps, workspaceId, (current) => {
    if (!current) throw refusals.mobileAppNotConfigured();
    const config = { ...current, ...fields };
    return { config, reply: (etag) => ({ ...toConfigReply(workspaceId, config), etag }) };
  });
}

/** Takes the app's config away, with its actions; what it restricted is open again. */
export function deleteAppConfig(
  deps: ChangeDeps,
  { workspace_id: workspaceId }: Workspace,
): Promise<Record<string, never>> {
  return changeAccess(deps, workspaceId, (current) => {
    if (!current) throw refusals.mobileAppNotConfigured();
    return { config: null, reply: () => ({}) };
  });
}

/** Those that were sent. Projects and roles must be of the workspace. */
async function checkedFields(
  deps: WriteDeps,
  request: api.MobileAppConfigFields,
): Promise<Partial<AppConfig>> {
  const { workspace_id: workspaceId, is_enabled, app_config } = request;
  const projectIds = request.project_ids as string[] | null | undefined;
  const roleIds = request.allowed_role_ids as string[] | null | undefined;
  const hiddenFields = request.hidden_fields as string[] | null | undefined;
  await Promise.all([
    requireProjects(deps, workspaceId, projectIds),
    requireRoles(deps, workspaceId, roleIds),
  ]);
  return {
    ...(is_enabled === undefined ? {} : { is_enabled }),
    ...(projectIds === undefined ? {} : { project_ids: projectIds }),
    ...(roleIds === undefined ? {} : { allowed_role_ids: roleIds }),
    ...(hiddenFields === undefined ? {} : { hidden_fields: hiddenFields }),
    ...(app_config === undefined ? {} : { app_config: app_config as JsonObject }),
  };
}
