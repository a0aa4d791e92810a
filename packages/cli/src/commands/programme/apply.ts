import type { Laurel } from '@laurel/client';
import { acting, command } from '../../command';
import { Failed } from '../../failures';
import { say } from '../../output';
import { applyPlan, type Done } from '../../programme/apply';
import { KINDS, type KindName } from '../../programme/kinds';
import { readWorkspace } from '../../programme/live';
import { changesOf, digestOfPlan, type Plan, wordsOf } from '../../programme/plan';
import { type Register, requireNoDrift, writeRegister } from '../../programme/register';
import { startProgress } from '../../progress';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
import { planOf } from './plan';

export const apply = (terminal: Terminal) =>
  acting<{ asPlanned?: string; overwrite?: string[] }>(
    command({
      usage: 'apply <folder>',
      summary: 'Make a workspace as its files say',
      examples: [
        'laurel programme apply programme',
        'laurel programme apply programme --as-planned 3f2504e04f894d3d',
      ],
      notes:
        'It does what plan says: nothing is deleted, rules come last, and it stops where the platform says no. The same command goes on from there; once everything is done it has nothing to do. Where the files name their programme, what was changed by hand since is not taken back unless --overwrite names it.',
    })
      .option(
        '--as-planned <plan>',
        'only if this is still the plan: what somebody reviewed is what happens',
      )
      .option('--overwrite <thing...>', 'take back what was changed by hand: rewards/free-coffee'),
    terminal,
    async (_, { args: [folder], options }) => {
      const { laurel } = await openWorkspace(terminal, options);
      const { plan, found, register, drifts } = await planOf(terminal, laurel, folder!);
      const changes = changesOf(plan);
      if (options.asPlanned !== undefined && options.asPlanned !== digestOfPlan(plan))
        throw new Failed(
          `the plan is another one by now (${digestOfPlan(plan)}): the files or the workspace have changed; plan again`,
        );
      requireNoDrift(drifts, options.overwrite ?? []);
      if (!options.json) for (const line of wordsOf(plan)) terminal.out(`${line}\n`);
      const progress = startProgress(terminal, 'applying');
      const done: Done[] = [];
      const refused = await failureOf(async () => {
        for await (const one of applyPlan(laurel, plan, found)) {
          done.push(one);
          progress.show(done.length, changes.length);
        }
      });
      progress.end();
      // Before anything else can fail: secrets are shown this once.
      say(
        terminal,
        options,
        { done, left: changes.length - done.length },
        told(done, changes.length),
      );
      const unnoted = register && (await failureOf(() => noteApplied(laurel, register, plan)));
      if (refused || unnoted) throw refused || unnoted;
    },
  );

/** What has been done stays noted where the rest was refused. */
async function noteApplied(laurel: Laurel, register: Register, plan: Plan): Promise<void> {
  const wanted = plan.steps.map((step) => step.wanted);
  const found = await readWorkspace(laurel, wanted);
  await writeRegister(laurel, register, { plan, found });
}

function told(done: readonly Done[], changes: number): string[] {
  if (changes === 0) return ['✓ nothing to do'];
  const secrets = done.flatMap(({ kind, key, secret }) =>
    secret === undefined
      ? []
      : [`  secret of ${KINDS[kind as KindName].noun} ${key}, shown this once: ${secret}`],
  );
  const isWhole = done.length === changes;
  return [`${isWhole ? '✓' : '✗'} ${done.length} of ${changes} done`, ...secrets];
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
