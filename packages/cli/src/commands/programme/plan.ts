import type { Laurel } from '@laurel/client';
import { acting, command } from '../../command';
import { HasChanges } from '../../failures';
import { say } from '../../output';
import { foretellTiers, wordsOfMoves } from '../../programme/foretell';
import { seenBy } from '../../programme/ground';
import { countWork, digestOfPlan, type Plan, wordsOf } from '../../programme/plan';
import { writePlan } from '../../programme/plan-file';
import { wordsOfDrifts } from '../../programme/register';
import { readTexts } from '../../programme/texts';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
import { type Planned, planOf } from './planned';

export const plan = (terminal: Terminal) =>
  acting<{ out?: string }>(
    command({
      usage: 'plan <folder>',
      summary: 'Show what apply would change in a workspace, and change nothing',
      examples: [
        'laurel programme plan programme',
        'laurel programme plan programme --json',
        'laurel programme plan programme --out plan.json',
      ],
      notes:
        'Nothing is changed. Wallet types and fields are known by their codes, all else by the key that apply gave it, and until then by its name (webhooks by their address). What the files do not say belongs to the console. Where the files name their programme, what was changed by hand since they were applied is said, with who and when as far as the audit log tells, and so is what they no longer name. The exit code is 5 where there is something to do. What stands under moved by its old key and its new one is known by the new one from then on. The last line names the plan, so that apply --as-planned can do this one and no other. --out keeps it in a file: the files as they are written and the version of each thing that it changes, but nothing out of the environment; apply does what is in it, or nothing where something has changed since.',
    }).option('--out <file>', 'keep the plan, for apply'),
    terminal,
    async (_, { args: [folder], options }) => {
      const place = await openWorkspace(terminal, options);
      const { laurel, workspace } = place;
      const planned = await planOf(place, terminal.env, readTexts(folder!));
      const { plan: made, found, drifts, hide } = planned;
      const moves = await foretellTiers(laurel, made, found);
      if (options.out !== undefined) await keep(laurel, { ...planned, workspace }, options.out);
      const data = { ...asData(made), drifts, moves: typeof moves === 'string' ? null : moves };
      const words = [...wordsOf(made), ...wordsOfDrifts(drifts), ...wordsOfMoves(moves)];
      const name = countWork(made) > 0 ? [`plan ${digestOfPlan(made)}`] : [];
      say(terminal, options, {
        data: JSON.parse(hide(JSON.stringify(data))),
        lines: [...words, ...name].map(hide),
      });
      if (countWork(made) > 0) throw new HasChanges();
    },
  );

async function keep(
  laurel: Laurel,
  { plan: made, found, files, register, workspace }: Planned & { workspace: string },
  file: string,
): Promise<void> {
  const seen = await seenBy(laurel, made, found);
  const plan = digestOfPlan(made);
  writePlan(file, { workspace, plan, files, register: register?.etag ?? null, seen });
}

function asData(plan: Plan): object {
  const { steps, others, removals } = plan;
  return {
    plan: digestOfPlan(plan),
    steps: steps.map(({ action, id, differences, wanted: { kind, key, file } }) => ({
      action,
      kind,
      key,
      id,
      file,
      differences,
    })),
    others: others.map(({ kind, key, id }) => ({ kind, key, id })),
    removals,
  };
}
