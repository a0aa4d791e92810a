import { acting, command } from '../../command';
import { say } from '../../output';
import type { Wanted } from '../../programme/files';
import { writeProgramme } from '../../programme/files';
import { readWorkspace, worthSaying } from '../../programme/live';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';

export const pull = (terminal: Terminal) =>
  acting<{ force?: boolean }>(
    command({
      usage: 'pull <folder>',
      summary: 'Write the programme of a workspace into files',
      examples: [
        'laurel programme pull programme',
        'laurel programme pull programme --workspace coffee-corner --force',
      ],
      notes:
        'A YAML file for each kind; what is empty or as usual is left out. Things get keys made of their names, by which files refer to them.',
    }).option('--force', 'write over files that are there already'),
    terminal,
    async (_, { args: [folder], options }) => {
      const { laurel } = await openWorkspace(terminal, options);
      const found = await readWorkspace(laurel, []);
      const wanted = found.map(
        (one): Wanted => ({ kind: one.kind, key: one.key, body: worthSaying(one), file: '' }),
      );
      const files = writeProgramme(folder!, wanted, options.force === true);
      say(terminal, options, { files, things: wanted.length }, [
        `✓ ${wanted.length} things in ${files.join(', ')}`,
      ]);
    },
  );
