import type { Laurel } from '@laurel/client';
import { acting, command } from '../../command';
import { Failed } from '../../failures';
import { say } from '../../output';
import { applyPlan, type Done } from '../../programme/apply';
import { KINDS, type KindName } from '../../programme/kinds';
import { type Found, readWorkspace } from '../../programme/live';
import { countWork, digestOfPlan, type Plan, wordsOf } from '../../programme/plan';
import { type Register, requireNoDrift, writeRegister } from '../../programme/register';
import { applyRemovals, type Removal, requireLeave } from '../../programme/removal';
import { startProgress } from '../../progress';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
import { planOf } from './plan';

interface Options {
  asPlanned?: string;
  overwrite?: string[];
  delete?: boolean;
}

export const apply = (terminal: Terminal) =>
  acting<Options>(
    command({
      usage: 'apply <folder>',
      summary: 'Make a workspace as its files say',
      examples: [
        'laurel programme apply programme',
        'laurel programme apply programme --as-planned 3f2504e04f894d3d',
      ],
      notes:
        'It does what plan says: rules come last, and it stops where the platform says no. What the files no longer name is switched off where it can be, or as their on_removal says; it is deleted only with --delete. The same command goes on from there; once everything is done it has nothing to do. Where the files name their programme, what was changed by hand since is not taken back unless --overwrite names it.',
    })
      .option(
        '--as-planned <plan>',
        'only if this is still the plan: what somebody reviewed is what happens',
      )
      .option('--overwrite <thing...>', 'take back what was changed by hand: rewards/free-coffee')
      .option(
        '--delete',
        'where the files say on_removal: delete, delete what they no longer name',
      ),
    terminal,
    async (_, { args: [folder], options }) => {
      const { laurel } = await openWorkspace(terminal, options);
      const { plan, found, register, drifts } = await planOf(terminal, laurel, folder!);
      const work = countWork(plan);
      if (options.asPlanned !== undefined && options.asPlanned !== digestOfPlan(plan))
        throw new Failed(
          `the plan is another one by now (${digestOfPlan(plan)}): the files or the workspace have changed; plan again`,
        );
      requireNoDrift(drifts, options.overwrite ?? []);
      requireLeave(plan.removals, options.delete === true);
      if (!options.json) for (const line of wordsOf(plan)) terminal.out(`${line}\n`);
      const progress = startProgress(terminal, 'applying');
      const done: (Done | Removal)[] = [];
      const refused = await failureOf(async () => {
        for await (const one of doAll(laurel, plan, found)) {
          done.push(one);
          progress.show(done.length, work);
        }
      });
      progress.end();
      // Before anything else can fail: secrets are shown this once.
      say(terminal, options, { data: { done, left: work - done.length }, lines: told(done, work) });
      const left = plan.removals.filter((one) => !done.includes(one));
      const unnoted =
        register && (await failureOf(() => noteApplied(laurel, register, { plan, left })));
      if (refused || unnoted) throw refused || unnoted;
    },
  );

async function* doAll(laurel: Laurel, plan: Plan, found: readonly Found[]) {
  yield* applyPlan(laurel, plan, found);
  yield* applyRemovals(laurel, plan.removals);
}

/** What has been done stays noted where the rest was refused. */
async function noteApplied(
  laurel: Laurel,
  register: Register,
  { plan, left }: { plan: Plan; left: readonly Removal[] },
): Promise<void> {
  const wanted = plan.steps.map((step) => step.wanted);
  const found = await readWorkspace(laurel, wanted);
  await writeRegister(laurel, register, { plan, found, left });
}

function told(done: readonly (Done | Removal)[], work: number): string[] {
  if (work === 0) return ['✓ nothing to do'];
  const secrets = done.flatMap((one) =>
    'secret' in one
      ? [
          `  secret of ${KINDS[one.kind as KindName].noun} ${one.key}, shown this once: ${one.secret}`,
        ]
      : [],
  );
  return [`${done.length === work ? '✓' : '✗'} ${done.length} of ${work} done`, ...secrets];
}

/** What it failed with; null where it did not. */
async function failureOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    return error;
  }
}
