import type { Laurel } from '@laurel/client';
import { acting, command } from '../../command';
import { Failed } from '../../failures';
import { harmless } from '../../harmless';
import { say } from '../../output';
import { applyPlan, type Done } from '../../programme/apply';
import { KINDS, type KindName } from '../../programme/kinds';
import { readWorkspace } from '../../programme/live';
import { changesOf, countWork, digestOfPlan, type Plan, wordsOf } from '../../programme/plan';
import { type Register, requireNoDrift, writeRegister } from '../../programme/register';
import { applyRemovals, type Removal, requireLeave } from '../../programme/removal';
import { openSecretsFile, type SecretsFile } from '../../programme/secrets-file';
import { beingApplied, type Tags } from '../../programme/tags';
import { takeTurn } from '../../programme/turn';
import { startProgress } from '../../progress';
import { type GlobalOptions, openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
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
  // From here on Ctrl-C is heeded between two changes: who just died would keep everybody out until the turn ends by itself.
  const { interrupted } = terminal;
  const turn = planned.register && work > 0 ? await takeTurn(laurel, planned.register) : null;
  const progress = startProgress(terminal, 'applying');
  const done: (Done | Removal)[] = [];
  const refused = await failureOf(async () => {
    for await (const one of doAll(laurel, planned)) {
      done.push(secrets ? withoutSecret(one, secrets) : one);
      progress.show(done.length, work);
      if (interrupted.aborted && done.length < work) throw new Failed(INTERRUPTED);
      await turn?.keep();
    }
  });
  progress.end();
  // Before anything else can fail: secrets are shown this once.
  const stopped = refused && !interrupted.aborted ? stoppedAt(plan, done.length) : [];
  const lines = told(done, work, stopped);
  say(terminal, options, { data: { done, left: work - done.length }, lines });
  const isDone = new Set<Done | Removal>(done);
  const left = plan.removals.filter((one) => !isDone.has(one));
  const register = turn?.register() ?? planned.register;
  const unnoted =
    register && (await failureOf(() => noteApplied(laurel, register, { plan, left })));
  if (refused || unnoted) throw refused || unnoted;
}

/** What was done, its secret being kept elsewhere. */
function withoutSecret(one: Done | Removal, secrets: SecretsFile): Done | Removal {
  if (!('secret' in one) || one.secret === undefined) return one;
  const { secret, ...rest } = one;
  secrets.keep({ kind: one.kind, key: one.key, secret });
  return { ...rest, secretIn: secrets.name };
}

async function* doAll(laurel: Laurel, { plan, found, pictures, tags }: All) {
  yield* applyPlan(laurel, plan, { found, pictures, tags });
  yield* applyRemovals(laurel, plan.removals, tags);
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

function told(
  done: readonly (Done | Removal)[],
  work: number,
  stopped: readonly string[],
): string[] {
  if (work === 0) return ['✓ nothing to do'];
  const secrets = done.flatMap((one) => {
    const of = `  secret of ${KINDS[one.kind as KindName].noun} ${one.key}`;
    if ('secret' in one) return [`${of}, shown this once: ${one.secret}`];
    return 'secretIn' in one ? [`${of} is in ${one.secretIn}`] : [];
  });
  return [
    `${done.length === work ? '✓' : '✗'} ${done.length} of ${work} done`,
    ...stopped,
    ...secrets,
  ];
}

/** What was under way, so that its author finds the file which the platform's no is about. */
function stoppedAt(plan: Plan, count: number): string[] {
  const things = [
    ...changesOf(plan).map(({ wanted: { kind, key, file } }) => ({
      kind,
      key,
      file: ` of ${file}`,
    })),
    ...plan.removals.map(({ kind, key }) => ({ kind, key, file: '' })),
  ];
  return things
    .slice(count, count + 1)
    .map(({ kind, key, file }) => `  stopped at ${KINDS[kind].noun} ${key}${file}`);
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
