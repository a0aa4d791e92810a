import type { Laurel } from '@laurel/client';
import { acting, command } from '../../command';
import { say } from '../../output';
import type { Wanted } from '../../programme/files';
import { readProgramme, writeProgramme } from '../../programme/files';
import { KINDS } from '../../programme/kinds';
import { readWorkspace, worthSaying } from '../../programme/live';
import { readMoves } from '../../programme/moved';
import { takeOver } from '../../programme/take-over';
import { type GlobalOptions, openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';

export const pull = (terminal: Terminal) =>
  acting<{ adopt?: boolean; force?: boolean; only?: string }>(
    command({
      usage: 'pull <folder>',
      summary: 'Write the programme of a workspace into files',
      examples: [
        'laurel programme pull programme',
        'laurel programme pull programme --workspace coffee-corner --force',
        'laurel programme pull programme --only rewards/free-coffee',
      ],
      notes:
        'A YAML file for each kind; what is empty or as usual is left out. Things without a key stand under one made of their name; with --adopt they bear it from then on, as after an apply, and may be called otherwise. --only takes one thing over that was changed by hand: of what its file names, what differs.',
    })
      .option('--adopt', 'give things without a key the one they stand under')
      .option('--only <thing>', 'one thing, into the file where it stands: rewards/free-coffee')
      .option('--force', 'write over files that are there already'),
    terminal,
    async (_, { args: [folder], options }) => {
      const { laurel } = await openWorkspace(terminal, options);
      if (options.only !== undefined)
        return pullOne(terminal, laurel, { folder: folder!, only: options.only, options });
      const found = await readWorkspace(laurel, []);
      const wanted = found.map(
        (one): Wanted => ({ kind: one.kind, key: one.key, body: worthSaying(one), file: '' }),
      );
      const files = writeProgramme(folder!, wanted, options.force === true);
      const nameless = found.filter(({ body }) => body.key === null);
      if (options.adopt)
        for (const { kind, key, id } of nameless)
          await KINDS[kind].update(laurel, { id, body: { key } as never, options: {} });
      const adopted = options.adopt ? nameless.length : 0;
      say(terminal, options, {
        data: { files, things: wanted.length, adopted },
        lines: [
          `✓ ${wanted.length} things in ${files.join(', ')}`,
          ...(adopted > 0 ? [`✓ ${adopted} of them bear their keys from now on`] : []),
        ],
      });
    },
  );

async function pullOne(
  terminal: Terminal,
  laurel: Laurel,
  { folder, only, options }: { folder: string; only: string; options: GlobalOptions },
): Promise<void> {
  const wanted = readProgramme(folder, terminal.env);
  const moves = readMoves(folder, terminal.env, wanted);
  const found = await readWorkspace(laurel, wanted, moves);
  const file = takeOver(folder, only, { wanted, found });
  const words =
    file === null ? `✓ ${only} is as its file says` : `✓ ${only} is in ${file} as it is`;
  say(terminal, options, {
    data: { files: file === null ? [] : [file], things: 1, adopted: 0 },
    lines: [words],
  });
}
