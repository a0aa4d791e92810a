import { acting, command } from '../command';
import { NotSignedIn } from '../failures';
import { say } from '../output';
import { createProfiles } from '../profiles';
import { openSession, profileMeant, workspaceIdOf } from '../session';
import type { Terminal } from '../terminal';

export const use = (terminal: Terminal) =>
  acting(
    command({
      usage: 'use <workspace>',
      summary: 'Choose the workspace that commands work on',
      examples: ['laurel use coffee-corner', 'laurel use 3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    }),
    terminal,
    async (_, { args: [asked], options }) => {
      const { laurel } = await openSession(terminal, options);
      const id = await workspaceIdOf(laurel, asked);
      const workspace = await laurel.workspaces.get({ workspace: id! });
      const profiles = createProfiles(terminal.configFolder);
      const name = profileMeant(terminal, options) ?? profiles.current();
      const profile = profiles.get(name);
      if (!profile) throw new NotSignedIn('there is no profile to note it in; run laurel login');
      profiles.put(name, { ...profile, workspace: workspace.id });
      say(terminal, options, {
        data: workspace,
        lines: [`✓ working in ${workspace.name} (${workspace.slug})`],
      });
    },
  );
