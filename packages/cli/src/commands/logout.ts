import { isLaurelError, Laurel } from '@laurel/client';
import { acting, command } from '../command';
import { NotSignedIn } from '../failures';
import { say } from '../output';
import { createProfiles } from '../profiles';
import { profileMeant } from '../session';
import type { Terminal } from '../terminal';

/** Ends the session at the platform, too. An API token stays what it is: others may use it. */
export const logout = (terminal: Terminal) =>
  acting(
    command({
      usage: 'logout',
      summary: 'Forget who is signed in',
      examples: ['laurel logout', 'laurel logout --profile shop'],
    }),
    terminal,
    async (_, { options }) => {
      const profiles = createProfiles(terminal.configFolder);
      const name = profileMeant(terminal, options) ?? profiles.current();
      const profile = profiles.get(name);
      if (!profile) throw new NotSignedIn(`nobody is signed in as ${name}`);
      const { url, access_token: token, refresh_token } = profile;
      profiles.remove(name);
      if (refresh_token !== undefined && token !== undefined)
        await new Laurel({ baseUrl: url, token }).auth.logout({ refresh_token }).catch((error) => {
          // A session that has ended already is what is wanted.
          if (!isLaurelError(error) || error.status !== 401) throw error;
        });
      say(terminal, options, { data: { profile: name }, lines: [`✓ signed out of ${url}`] });
    },
  );
