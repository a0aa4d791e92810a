import { Laurel } from '@laurel/client';
import { NotSignedIn, UsageError } from './failures';
import { isId } from './ids';
import { createProfiles, type Profile, type Profiles } from './profiles';
import type { Terminal } from './terminal';

/** Less than the lock lasts: one refresh token is not used by two. */
const REFRESH_MS = 10_000;

/** What every command takes. */
export interface GlobalOptions {
  json?: boolean;
  url?: string;
  workspace?: string;
  profile?: string;
}

export interface Session {
  laurel: Laurel;
  url: string;
  /** What a client takes that is made for other calls. */
  options: ConstructorParameters<typeof Laurel>[0];
  /** Id of the workspace; the commands that need none work without. */
  workspace: string | undefined;
}

/**
 * The platform as the signed-in user. What is said with the command goes first, then LAUREL_URL, LAUREL_TOKEN and
 * LAUREL_WORKSPACE, then the profile.
 */
export async function openSession(terminal: Terminal, options: GlobalOptions): Promise<Session> {
  const profiles = createProfiles(terminal.configFolder);
  const env = statedIn(terminal.env);
  const name = profileMeant(terminal, options) ?? profiles.current();
  const profile = profiles.get(name);
  const url = options.url ?? env.LAUREL_URL ?? profile?.url;
  const token = env.LAUREL_TOKEN ?? profile?.token ?? sessionOf(profiles, name, profile);
  if (url === undefined || token === undefined)
    throw new NotSignedIn(
      'nobody is signed in; run laurel login, or set LAUREL_URL and LAUREL_TOKEN',
    );
  requireUrl(url);
  // A token is for the platform that gave it: elsewhere it has no business.
  if (env.LAUREL_TOKEN === undefined && new URL(url).origin !== new URL(profile!.url).origin)
    throw new NotSignedIn(`the profile ${name} is of ${profile!.url}; sign in at ${url}`);
  const asked = options.workspace ?? env.LAUREL_WORKSPACE ?? profile?.workspace;
  const made = { baseUrl: url, token };
  const workspace = await workspaceIdOf(new Laurel(made), asked);
  const whole = { ...made, ...(workspace === undefined ? {} : { workspace }) };
  return { laurel: new Laurel(whole), url, options: whole, workspace };
}

/** The profile that is named, with the command or by LAUREL_PROFILE. */
export const profileMeant = ({ env }: Terminal, { profile }: GlobalOptions): string | undefined =>
  profile ?? statedIn(env).LAUREL_PROFILE;

/** A variable that is empty says nothing: so a build server hands on a secret that it does not have. */
export function statedIn(env: Terminal['env']): Terminal['env'] {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

/** The same, with a workspace to work in. */
export async function openWorkspace(
  terminal: Terminal,
  options: GlobalOptions,
): Promise<Session & { workspace: string }> {
  const session = await openSession(terminal, options);
  const { workspace } = session;
  if (workspace === undefined)
    throw new UsageError('no workspace is chosen; run laurel use, or name one with --workspace');
  return { ...session, workspace };
}

export function requireUrl(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`${url} is not an address such as https://loyalty.example.com`);
}

/** Workspaces are named by id or by slug. */
export async function workspaceIdOf(
  laurel: Laurel,
  asked: string | undefined,
): Promise<string | undefined> {
  if (asked === undefined || isId(asked)) return asked?.toLowerCase();
  const workspaces = await laurel.workspaces.list();
  const found = workspaces.find(({ slug }) => slug === asked);
  if (!found) throw new UsageError(`you are in no workspace ${asked}`);
  return found.id;
}

/** A token that goes on by itself: the process that finds it at its end makes the next one, for all processes of this user. */
function sessionOf(profiles: Profiles, name: string, profile: Profile | undefined) {
  if (!profile?.access_token || !profile.refresh_token) return undefined;
  let current = profile;
  return async (isRefused: boolean): Promise<string> => {
    const { access_token: held } = current;
    if (!isRefused) return held!;
    current = await profiles.alone(async () => {
      const kept = profiles.get(name) ?? current;
      // Another process, or another call of this one, has been here.
      if (kept.access_token !== held) return kept;
      const platform = new Laurel({ baseUrl: kept.url, timeoutMs: REFRESH_MS });
      const { access_token, refresh_token } = await platform.auth.refresh({
        refresh_token: kept.refresh_token!,
      });
      const renewed = { ...kept, access_token, refresh_token };
      profiles.renew(name, renewed);
      return renewed;
    });
    return current.access_token!;
  };
}
