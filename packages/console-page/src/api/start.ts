import type { Laurel, Me, OwnWorkspace, User } from '@laurel/client';

/** What the console needs before it can show anything. */
export interface Start {
  user: User;
  workspaces: readonly OwnWorkspace[];
  /** Missing where the person belongs to none yet. */
  within?: {
    workspace: OwnWorkspace;
    settings: Settings;
    permissions: ReadonlySet<string>;
  };
}

/** By what a workspace writes its numbers and days. */
export interface Settings {
  default_locale: string;
  default_currency: string;
  timezone: string;
}

/** @param wanted the id of the workspace that was open last */
export async function loadStart(
  laurel: (workspaceId?: string) => Laurel,
  user: User,
  wanted: string | null,
): Promise<Start> {
  const meIn = async (id: string) => await laurel(id).workspaces.getMe();
  // Somebody may have left the workspace that was open last: then the list says which there are.
  const guessed = wanted ? meIn(wanted).catch(() => null) : null;
  const workspaces = await laurel().workspaces.list();
  const workspace = workspaces.find(({ id }) => id === wanted) ?? workspaces[0];
  if (!workspace) return { user, workspaces };
  const guess = await guessed;
  const me: Me = guess?.workspace.id === workspace.id ? guess : await meIn(workspace.id);
  const { locale, currency, timezone } = me.settings;
  const settings = { default_locale: locale, default_currency: currency, timezone };
  return {
    user,
    workspaces,
    within: { workspace, settings, permissions: new Set(me.permissions) },
  };
}
