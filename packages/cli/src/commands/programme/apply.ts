import { acting, command } from '../../command';
import { Failed } from '../../failures';
import { say } from '../../output';
import { applyPlan, type Done } from '../../programme/apply';
import { KINDS, type KindName } from '../../programme/kinds';
import { changesOf, digestOfPlan, wordsOf } from '../../programme/plan';
import { startProgress } from '../../progress';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
import { planOf } from './plan';

export const apply = (terminal: Terminal) =>
  acting<{ asPlanned?: string }>(
    command({
      usage: 'apply <folder>',
      summary: 'Make a workspace as its files say',
      examples: [
        'laurel programme apply programme',
        'laurel programme apply programme --as-planned 3f2504e04f894d3d',
      ],
      notes:
        'It does what plan says: nothing is deleted, rules come last, and it stops where the platform says no. The same command goes on from there; once everything is done it has nothing to do.',
    }).option(
      '--as-planned <plan>',
      'only if this is still the plan: what somebody reviewed is what happens',
    ),
    terminal,
    async (_, { args: [folder], options }) => {
      const { laurel } = await openWorkspace(terminal, options);
      const { plan, found } = await planOf(terminal, laurel, folder!);
      const changes = changesOf(plan);
      if (options.asPlanned !== undefined && options.asPlanned !== digestOfPlan(plan))
        throw new Failed(
          `the plan is another one by now (${digestOfPlan(plan)}): the files or the workspace have changed; plan again`,
        );
      if (!options.json) for (const line of wordsOf(plan)) terminal.out(`${line}\n`);
      const progress = startProgress(terminal, 'applying');
      const done: Done[] = [];
      try {
        for await (const one of applyPlan(laurel, plan, found)) {
          done.push(one);
          progress.show(done.length, changes.length);
        }
      } finally {
        progress.end();
        say(
          terminal,
          options,
          { done, left: changes.length - done.length },
          told(done, changes.length),
        );
      }
    },
  );

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
