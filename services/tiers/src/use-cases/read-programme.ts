import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { type Programme, programmeOf, type Tier } from '../domain/programme';
import { refusals } from '../refusals';
import type { StoredTierSet } from '../store/tier-sets';

type ConfigurationDeps = Pick<Deps, 'tierSets' | 'tiers'>;

export interface Configuration {
  set: StoredTierSet;
  /** Lowest first. */
  tiers: Tier[];
}

/** The tier set and tiers of a workspace; null without a set. */
export async function readConfiguration(
  { tierSets, tiers }: ConfigurationDeps,
  workspaceId: string,
  session?: Session,
): Promise<Configuration | null> {
  const set = await tierSets.find(workspaceId, session);
  return set ? { set, tiers: await tiers.list(workspaceId, session) } : null;
}

/** As readConfiguration; refused without a set. */
export async function requireConfiguration(
  deps: ConfigurationDeps,
  workspaceId: string,
  session?: Session,
): Promise<Configuration> {
  const configuration = await readConfiguration(deps, workspaceId, session);
  if (!configuration) throw refusals.noTierSet();
  return configuration;
}

/** The rules of a workspace, for deciding; null without a tier set. */
export async function readProgramme(
  deps: ConfigurationDeps,
  workspaceId: string,
  session?: Session,
): Promise<Programme | null> {
  const configuration = await readConfiguration(deps, workspaceId, session);
  return configuration && programmeOf(configuration.set, configuration.tiers);
}
