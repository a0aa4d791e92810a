import type { Deps, WorkspaceUnit } from '../deps';
import type { Profile } from '../domain/segments/profile';
import { withEvent, withPasses } from '../domain/segments/profile-changes';
import type { TrailEvent } from '../domain/trail-event';

type Change = (profile: Profile) => Profile;
type ProfileChanges = Map<string, Change>;
export type InsertDeps = Pick<Deps, 'activity' | 'events' | 'profiles' | 'passes'>;

const INSTALLATION: Readonly<Record<string, boolean>> = {
  pass_installed: true,
  pass_uninstalled: false,
};

interface Insertion {
  rows: readonly TrailEvent[];
  /** Further changes of profiles, to be written with them. */
  learned?: ProfileChanges;
}

/**
 * Inserts rows into the trail and tells the profiles of their clients, in the caller's transaction: a profile counts
 * each row once.
 */
export async function insertTrail(
  { activity, events, profiles, passes }: InsertDeps,
  unit: WorkspaceUnit,
  { rows, learned = new Map() }: Insertion,
): Promise<void> {
  await activity.mark(rows);
  await events.insertAll(rows, unit.session);
  const holders = await noteInstallations({ passes }, unit, rows);
  const changes = joinChanges(
    changesByClient(rows, withEvent),
    learned,
    await passChanges({ passes }, unit, holders),
  );
  await profiles.revise(unit.workspaceId, changes, unit.session);
}

/** What the rows of each client make of its profile, one after the other. */
export function changesByClient(
  rows: readonly TrailEvent[],
  change: (profile: Profile, row: TrailEvent) => Profile,
): ProfileChanges {
  const changes: ProfileChanges = new Map();
  for (const row of rows) {
    if (row.client_id !== null) addChange(changes, row.client_id, (one) => change(one, row));
  }
  return changes;
}

/** Adds a change to those of a client, after them. */
export function addChange(changes: ProfileChanges, clientId: string, change: Change): void {
  const before = changes.get(clientId);
  changes.set(clientId, before ? (profile) => change(before(profile)) : change);
}

/** What the passes of clients are now, for their profiles. */
export async function passChanges(
  { passes }: Pick<Deps, 'passes'>,
  { workspaceId, session }: WorkspaceUnit,
  clientIds: readonly string[],
): Promise<ProfileChanges> {
  if (clientIds.length === 0) return new Map();
  const found = await passes.ofClients(workspaceId, clientIds, session);
  const ofClient = (clientId: string) =>
    found
      .filter((pass) => pass.clientId === clientId)
      .map(({ passId, templateId, installed }) => ({
        id: passId,
        template_id: templateId,
        installed,
      }));
  return new Map(clientIds.map((id) => [id, (profile) => withPasses(profile, ofClient(id))]));
}

function joinChanges(...all: ProfileChanges[]): ProfileChanges {
  const joined: ProfileChanges = new Map();
  for (const changes of all) {
    for (const [clientId, change] of changes) addChange(joined, clientId, change);
  }
  return joined;
}

/** Notes which passes came onto a device or went from one; says whose they are. */
async function noteInstallations(
  { passes }: Pick<Deps, 'passes'>,
  { workspaceId, session }: WorkspaceUnit,
  rows: readonly TrailEvent[],
): Promise<string[]> {
  const holders = new Set<string>();
  for (const row of rows) {
    const installed = INSTALLATION[row.event_type];
    if (row.event_category !== 'pass_lifecycle' || row.pass_id === null) continue;
    if (installed === undefined) continue;
    const note = { passId: row.pass_id, installed, at: row.event_timestamp };
    const holder = await passes.noteInstallation(workspaceId, note, session);
    if (holder !== null) holders.add(holder);
  }
  return [...holders];
}
