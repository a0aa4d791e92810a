import type { Laurel } from '@laurel/client';
import { acting, command } from '../../command';
import { HasChanges } from '../../failures';
import { say } from '../../output';
import { readHead, readProgramme } from '../../programme/files';
import { foretellTiers, wordsOfMoves } from '../../programme/foretell';
import { type Found, readWorkspace } from '../../programme/live';
import { countWork, digestOfPlan, makePlan, type Plan, wordsOf } from '../../programme/plan';
import {
  type Drift,
  driftsOf,
  type Register,
  readRegister,
  wordsOfDrifts,
} from '../../programme/register';
import { removalsOf } from '../../programme/removal';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';

export const plan = (terminal: Terminal) =>
  acting(
    command({
      usage: 'plan <folder>',
      summary: 'Say what would have to change for a workspace to be as its files say',
      examples: ['laurel programme plan programme', 'laurel programme plan programme --json'],
      notes:
        'Nothing is changed. Wallet types and fields are known by their codes, all else by the key that apply gave it, and until then by its name (webhooks by their address). What the files do not say belongs to the console. Where the files name their programme, what was changed by hand since they were applied is said, with who and when as far as the audit log tells, and so is what they no longer name. The exit code is 5 where there is something to do. The last line names the plan, so that apply --as-planned can do this one and no other.',
    }),
    terminal,
    async (_, { args: [folder], options }) => {
      const { laurel } = await openWorkspace(terminal, options);
      const { plan: made, found, drifts } = await planOf(terminal, laurel, folder!);
      const moves = await foretellTiers(laurel, made, found);
      const data = { ...asData(made), drifts, moves: typeof moves === 'string' ? null : moves };
      const words = [...wordsOf(made), ...wordsOfDrifts(drifts), ...wordsOfMoves(moves)];
      const name = countWork(made) > 0 ? [`plan ${digestOfPlan(made)}`] : [];
      say(terminal, options, { data: data, lines: [...words, ...name] });
      if (countWork(made) > 0) throw new HasChanges();
    },
  );

interface Planned {
  plan: Plan;
  found: Found[];
  /** Null where the files have no name. */
  register: Register | null;
  drifts: Drift[];
}

/** What a folder wants of a workspace, and what of that somebody decided otherwise. */
export async function planOf(terminal: Terminal, laurel: Laurel, folder: string): Promise<Planned> {
  const wanted = readProgramme(folder, terminal.env);
  const found = await readWorkspace(laurel, wanted);
  const { name, onRemoval } = readHead(folder, terminal.env);
  if (name === null) return { plan: makePlan(wanted, found), found, register: null, drifts: [] };
  const register = await readRegister(laurel, name);
  const removals = removalsOf(register.managed, { wanted, found, onRemoval });
  const made = makePlan(wanted, found, removals);
  const drifts = await driftsOf(laurel, made, { register, found });
  return { plan: made, found, register, drifts };
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
