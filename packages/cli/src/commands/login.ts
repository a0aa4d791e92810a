import { hostname } from 'node:os';
import { Laurel } from '@laurel/client';
import { acting, command } from '../command';
import { UsageError } from '../failures';
import { say } from '../output';
import { createProfiles, DEFAULT_PROFILE, type Profile } from '../profiles';
import { profileMeant, requireUrl, statedIn, workspaceIdOf } from '../session';
import type { Terminal } from '../terminal';
import { textOf } from '../text';
import { makeToken, type Wanted, wanting } from '../tokens';

const LOCAL_URL = 'http://localhost:8080';

interface Options extends Wanted {
  email?: string;
  passwordStdin?: boolean;
  tokenStdin?: boolean;
}

/** Signs in and keeps who somebody is in a file that only they can read. */
export const login = (terminal: Terminal) =>
  acting<Options>(
    wanting(
      command({
        usage: 'login',
        summary: 'Sign in to a platform',
        examples: [
          'laurel login --url https://loyalty.example.com',
          'laurel login --url https://loyalty.example.com --email anna@example.com --password-stdin < password',
          'laurel login --profile shop --token-stdin < token',
          'laurel login --scope configure --days 90',
        ],
        notes:
          'With --scope a token is made and kept in place of a session: it does no more than its scope says, and `laurel tokens` ends it. What is kept stands in config.json, readable for you alone, below $LAUREL_CONFIG, $XDG_CONFIG_HOME/laurel or ~/.config/laurel.',
      }),
    )
      .option('--email <address>', 'your address; asked for where it is missing')
      .option('--password-stdin', 'read the password from standard input')
      .option(
        '--token-stdin',
        'read an API token from standard input, in place of address and password',
      ),
    terminal,
    async (_, { options }) => {
      const { email, passwordStdin, tokenStdin } = options;
      const name = profileMeant(terminal, options) ?? DEFAULT_PROFILE;
      const profiles = createProfiles(terminal.configFolder);
      const url =
        options.url ?? statedIn(terminal.env).LAUREL_URL ?? profiles.get(name)?.url ?? LOCAL_URL;
      requireUrl(url);
      requireOneWay(options);
      const entered = tokenStdin
        ? { token: await oneLine(terminal) }
        : await signIn(terminal, url, { email, passwordStdin });
      const token = entered.token ?? entered.access_token!;
      const laurel = new Laurel({ baseUrl: url, token });
      const me = await laurel.user.getMe();
      const workspaces = await laurel.workspaces.list();
      const workspace =
        (await workspaceIdOf(laurel, options.workspace)) ??
        (workspaces.length === 1 ? workspaces[0]!.id : undefined);
      const credential = await exchanged(laurel, { entered, options, workspace });
      const profile: Profile = {
        url,
        email: me.email,
        ...credential,
        ...(workspace === undefined ? {} : { workspace }),
      };
      // Before anything else can fail: a token is shown this once.
      profiles.put(name, profile);
      const chosen = workspaces.find(({ id }) => id === workspace);
      say(terminal, options, {
        data: { url, email: me.email, profile: name, workspace: chosen ?? null },
        lines: [
          `✓ signed in at ${url} as ${me.email}`,
          chosen
            ? `  working in ${chosen.name} (${chosen.slug})`
            : workspaces.length > 0
              ? `  choose a workspace: laurel use ${workspaces.map(({ slug }) => slug).join(' | ')}`
              : `  you are in no workspace yet; make one: laurel api workspaces.create --data '{"name":"Corner Coffee"}'`,
        ],
      });
      await endReplaced(laurel, { entered, credential });
    },
  );

function requireOneWay({ passwordStdin, tokenStdin, scope, bound, days }: Options): void {
  if (passwordStdin && tokenStdin) throw new UsageError('read one of the two: password or token');
  if (tokenStdin && scope) throw new UsageError('a token has its scope: leave one of the two out');
  if (!scope && (bound || days)) throw new UsageError('say what the token is for, with --scope');
}

/** A token of the scope that is wanted, in place of the session; else what was entered. */
async function exchanged(
  laurel: Laurel,
  given: { entered: Partial<Profile>; options: Options; workspace: string | undefined },
): Promise<Partial<Profile>> {
  const { entered, workspace } = given;
  const { scope, days, bound } = given.options;
  if (scope === undefined) return entered;
  if (bound && workspace === undefined)
    throw new UsageError('say which workspace it is bound to, with --workspace');
  const { token } = await makeToken(laurel, {
    name: `laurel on ${hostname()}`,
    scope,
    ...(days === undefined ? {} : { days }),
    ...(bound ? { workspace: workspace! } : {}),
  });
  return { token };
}

/** Ends the session in whose place a token is kept. */
async function endReplaced(
  laurel: Laurel,
  { entered, credential }: { entered: Partial<Profile>; credential: Partial<Profile> },
): Promise<void> {
  const { refresh_token } = entered;
  if (credential !== entered && refresh_token !== undefined)
    await laurel.auth.logout({ refresh_token });
}

async function signIn(
  terminal: Terminal,
  url: string,
  { email, passwordStdin }: Pick<Options, 'email' | 'passwordStdin'>,
): Promise<Partial<Profile>> {
  const address = email ?? (await terminal.ask('E-mail: '));
  const password = passwordStdin
    ? await oneLine(terminal)
    : await terminal.ask('Password: ', { isHidden: true });
  const { access_token, refresh_token } = await new Laurel({ baseUrl: url }).auth.login({
    email: address,
    password,
  });
  return { access_token, refresh_token };
}

/** Without the line break that an editor or `echo` puts behind it. */
async function oneLine(terminal: Terminal): Promise<string> {
  const text = textOf(await terminal.readInput(), 'standard input').replace(/\r?\n$/, '');
  if (text === '') throw new UsageError('standard input is empty');
  return text;
}
