import type { Laurel } from '@laurel/client';
import { acting, command } from '../../command';
import { Failed } from '../../failures';
import { harmless } from '../../harmless';
import { applyPlan, type Done } from '../../programme/apply';
import type { Begins } from '../../programme/begins';
import { readWorkspace } from '../../programme/live';
import { countWork, digestOfPlan, type Plan, wordsOf } from '../../programme/plan';
import { type Register, requireNoDrift, writeRegister } from '../../programme/register';
import { applyRemovals, type Removal, requireLeave } from '../../programme/removal';
import { openSecretsFile, type SecretsFile } from '../../programme/secrets-file';
import { beingApplied, type Tags } from '../../programme/tags';
import { takeTurn } from '../../programme/turn';
import { type GlobalOptions, openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
import { createReport } from './applied';
import { type Planned, planFrom } from './planned';

interface Options {
  asPlanned?: string;
  overwrite?: string[];
  delete?: boolean;
  secretsOut?: string;
}

const INTERRUPTED = 'interrupted; the same command goes on from there';

type All = Planned & { tags: Tags };

export const apply = (terminal: Terminal) =>
  acting<Options>(
    command({
      usage: 'apply <folder-or-plan>',
      summary: 'Change a workspace to what its files say',
      examples: [
        'laurel programme apply programme',
        'laurel programme apply programme --as-planned 3f2504e04f894d3d',
        'laurel programme apply plan.json --secrets-out secrets.jsonl',
      ],
      notes:
        'It does what plan says: rules come last, and it stops where the platform says no. What the files no longer name is switched off where it can be, or as their on_removal says; it is deleted only with --delete. Ctrl-C ends it after the change that is under way. The same command goes on from there; once everything is done it has nothing to do. Where the files name their programme, what was changed by hand since is not taken back unless --overwrite names it. A plan that plan --out kept is done as it was, or not at all: where the workspace or the environment is otherwise by now, it says that the ground moved and ends with 1.',
    })
      .option(
        '--as-planned <plan>',
        'only if this is still the plan: what somebody reviewed is what happens',
      )
      .option('--overwrite <thing...>', 'take back what was changed by hand: rewards/free-coffee')
      .option('--delete', 'where the files say on_removal: delete, delete what they no longer name')
      .option(
        '--secrets-out <file>',
        'keep secrets that are shown once in a new file, for you alone, instead of showing them',
      ),
    terminal,
    async (_, { args: [source], options }) => {
      // A reader of the plan alone would miss what was done, and secrets that are shown once.
      terminal.mustBeHeard();
      const session = await openWorkspace(terminal, options);
      const planned = await planFrom(session, terminal.env, source!);
      requireWanted(planned, options);
      if (!options.json)
        for (const line of wordsOf(planned.plan)) terminal.out(`${harmless(planned.hide(line))}\n`);
      const secrets = options.secretsOut === undefined ? null : openSecretsFile(options.secretsOut);
      try {
        await applyAll(terminal, session.laurel, { planned, options, secrets });
      } finally {
        secrets?.close();
      }
    },
  );

/** Refuses another plan than was reviewed, and what no option allows; what another apply is doing is no drift. */
function requireWanted({ plan, drifts, register }: Planned, options: Options): void {
  if (register?.applying && countWork(plan) > 0) throw beingApplied(register.applying);
  if (options.asPlanned !== undefined && options.asPlanned !== digestOfPlan(plan))
    throw new Failed(
      `the plan is another one by now (${digestOfPlan(plan)}): the files or the workspace have changed; plan again`,
    );
  requireNoDrift(drifts, options.overwrite ?? []);
  requireLeave(plan.removals, options.delete === true);
}

async function applyAll(
  terminal: Terminal,
  laurel: Laurel,
  {
    planned,
    options,
    secrets,
  }: { planned: All; options: Options & GlobalOptions; secrets: SecretsFile | null },
): Promise<void> {
  const { plan } = planned;
  const work = countWork(plan);
  const report = createReport(terminal, options, { plan, secrets });
  terminal.mustBeHeard(() => {
    report.say();
    secrets?.close();
  });
  // From here on Ctrl-C is heeded between two changes: who just died would keep everybody out until the turn ends by itself.
  const { interrupted } = terminal;
  const heed = () => {
    if (interrupted.aborted && report.done.length < work) throw new Failed(INTERRUPTED);
  };
  const turn = planned.register && work > 0 ? await takeTurn(laurel, planned.register) : null;
  const refused = await failureOf(async () => {
    heed();
    for await (const one of doAll(laurel, planned, report.begins)) {
      report.add(one);
      heed();
      await turn?.keep();
    }
  });
  // Before anything else can fail.
  report.say(refused);
  const isDone = new Set<Done | Removal>(report.done);
  const left = plan.removals.filter((one) => !isDone.has(one));
  const register = turn?.register() ?? planned.register;
  const unnoted =
    register && (await failureOf(() => noteApplied(laurel, register, { plan, left })));
  if (refused || unnoted) throw refused || unnoted;
}

async function* doAll(laurel: Laurel, { plan, found, pictures, tags }: All, begins: Begins) {
  yield* applyPlan(laurel, plan, { found, pictures, tags, begins });
  yield* applyRemovals(laurel, plan.removals, { tags, begins });
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

/** What it failed with; null where it did not. */
async function failureOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    return error;
  }
}
