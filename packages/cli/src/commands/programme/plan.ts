import type { Laurel } from '@laurel/client';
import { acting, command } from '../../command';
import { HasChanges } from '../../failures';
import { say } from '../../output';
import { readProgramme } from '../../programme/files';
import { foretellTiers, wordsOfMoves } from '../../programme/foretell';
import { type Found, readWorkspace } from '../../programme/live';
import { changesOf, digestOfPlan, makePlan, type Plan, wordsOf } from '../../programme/plan';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';

export const plan = (terminal: Terminal) =>
  acting(
    command({
      usage: 'plan <folder>',
      summary: 'Say what would have to change for a workspace to be as its files say',
      examples: ['laurel programme plan programme', 'laurel programme plan programme --json'],
      notes:
        'Nothing is changed. Wallet types and fields are known by their codes, all else by the key that apply gave it, and until then by its name (webhooks by their address). What the files do not say belongs to the console. The exit code is 5 where there is something to do. The last line names the plan, so that apply --as-planned can do this one and no other.',
    }),
    terminal,
    async (_, { args: [folder], options }) => {
      const { laurel } = await openWorkspace(terminal, options);
      const { plan: made, found } = await planOf(terminal, laurel, folder!);
      const moves = await foretellTiers(laurel, made, found);
      const data = { ...asData(made), moves: typeof moves === 'string' ? null : moves };
      const words = [...wordsOf(made), ...wordsOfMoves(moves)];
      const name = changesOf(made).length > 0 ? [`plan ${digestOfPlan(made)}`] : [];
      say(terminal, options, data, [...words, ...name]);
      if (changesOf(made).length > 0) throw new HasChanges();
    },
  );

/** What a folder wants of a workspace. */
export async function planOf(
  terminal: Terminal,
  laurel: Laurel,
  folder: string,
): Promise<{ plan: Plan; found: Found[] }> {
  const wanted = readProgramme(folder, terminal.env);
  const found = await readWorkspace(laurel, wanted);
  return { plan: makePlan(wanted, found), found };
}

function asData({ steps, others }: Plan): object {
  return {
    plan: digestOfPlan({ steps, others }),
    steps: steps.map(({ action, id, differences, wanted: { kind, key, file } }) => ({
      action,
      kind,
      key,
      id,
      file,
      differences,
    })),
    others: others.map(({ kind, key, id }) => ({ kind, key, id })),
  };
}
