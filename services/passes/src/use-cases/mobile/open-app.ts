import { platform } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { type AppConfig, admits, reaches } from '../../domain/mobile/mobile-app';
import { refusals } from '../../refusals';
import { getPass } from '../pass/read-passes';

/** On whose behalf the app asks. */
export interface Staff {
  workspace_id: string;
  role_id: string;
}

export type PassDeps = Pick<
  MobileDeps,
  'mobileApps' | 'passes' | 'formerBarcodes' | 'links' | 'clients'
>;

/**
 * The config that bounds what staff see; null where the workspace has none, which bounds nothing. The door has asked
 * identity's copy already; this is the config itself, so that no request slips through while the copy is renewed.
 */
export async function openApp(
  { mobileApps }: Pick<MobileDeps, 'mobileApps'>,
  { workspace_id: workspaceId, role_id: roleId }: Staff,
): Promise<AppConfig | null> {
  const { config } = await mobileApps.find(workspaceId);
  if (config) requireOpen(config, roleId);
  return config;
}

/** Throws INVALID_TOKEN where the app is switched off, FORBIDDEN where it is not for the role. */
export function requireOpen({ is_enabled, allowed_role_ids }: AppConfig, roleId: string): void {
  if (!is_enabled) throw platform.invalidToken({ message: 'the app is switched off' });
  if (!admits(allowed_role_ids, roleId))
    throw platform.forbidden({ message: 'your role may not use the app' });
}

export interface Reached {
  pass: api.Pass;
  config: AppConfig | null;
}

/** A pass within reach of the app, with its client; any other is not found. */
export async function reachPass(
  deps: PassDeps,
  staff: Staff & { pass_id: string },
): Promise<Reached> {
  const config = await openApp(deps, staff);
  const { workspace_id, pass_id: id } = staff;
  const pass = await getPass(deps, { workspace_id, id, with_client: true });
  if (!reaches(config, pass.project_id)) throw refusals.passNotFound();
  return { pass, config };
}
