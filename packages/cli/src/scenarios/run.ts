import { isLaurelError } from '@laurel/client';
import { Failed } from '../failures';
import type { Session } from '../session';
import { type Hero, newHero, newTemplate } from './member';
import { momentAfter } from './moments';
import { movesClock, type Scenario } from './read';
import { openSandbox, type Programme, type Sandbox } from './sandbox';

/** Sandboxes that are worked in at once. */
const AT_ONCE = 3;

/** What became of a scenario. */
export interface Outcome {
  name: string;
  file: string;
  passed: boolean;
  durationMs: number;
  /** What did not hold. */
  complaints: string[];
  /** Of one that failed: the rules that ran over what happened. */
  rules: string[];
}

interface Running {
  scenario: Scenario;
  hero: Hero | null;
  startedAt: number;
  complaints: string[];
}

/**
 * Runs scenarios, each with a member of its own: those that begin at the same time together in one sandbox, those that
 * move the clock in one each. Outcomes come in the order of the scenarios.
 */
export async function runScenarios(
  session: Pick<Session, 'laurel' | 'options'>,
  { scenarios, ...programme }: Programme & { scenarios: readonly Scenario[] },
  { ended, interrupted }: { ended: (count: number) => void; interrupted: AbortSignal },
): Promise<Outcome[]> {
  const groups = groupsOf(scenarios);
  const outcomes = new Map<Scenario, Outcome>();
  const worker = async () => {
    for (let group = groups.shift(); group && !interrupted.aborted; group = groups.shift()) {
      for (const [scenario, outcome] of await runTogether(session, programme, group))
        outcomes.set(scenario, outcome);
      ended(outcomes.size);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (interrupted.aborted) throw new Failed('interrupted; some scenarios were not tried');
  return scenarios.map((scenario) => outcomes.get(scenario)!);
}

function groupsOf(scenarios: readonly Scenario[]): Scenario[][] {
  const still = new Map<string | undefined, Scenario[]>();
  for (const one of scenarios.filter((each) => !movesClock(each)))
    still.set(one.now, [...(still.get(one.now) ?? []), one]);
  return [...scenarios.filter(movesClock).map((one) => [one]), ...still.values()];
}

async function runTogether(
  session: Pick<Session, 'laurel' | 'options'>,
  programme: Programme,
  scenarios: readonly Scenario[],
): Promise<Map<Scenario, Outcome>> {
  const sandbox = await openSandbox(session, programme);
  try {
    const [first] = scenarios;
    if (first?.now !== undefined) {
      const moment = momentAfter(first.now, await sandbox.now());
      await sandbox.goTo(moment!);
    }
    const template = await newTemplate(sandbox, programme);
    const running = await Promise.all(
      scenarios.map((scenario) => begin(sandbox, template, scenario)),
    );
    await sandbox.settle();
    const rounds = Math.max(...scenarios.map(({ steps }) => steps.length));
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(running.map((one) => takeStep(sandbox, one, round)));
      await sandbox.settle();
    }
    const ended = running.map(async (one) => [one.scenario, await outcomeOf(one)] as const);
    return new Map(await Promise.all(ended));
  } finally {
    await sandbox.remove();
  }
}

async function begin(
  sandbox: Sandbox,
  template: Awaited<ReturnType<typeof newTemplate>>,
  scenario: Scenario,
): Promise<Running> {
  const running: Running = { scenario, hero: null, startedAt: Date.now(), complaints: [] };
  await noting(running, 'the member', async () => {
    running.hero = await newHero(sandbox, template, scenario);
  });
  return running;
}

async function takeStep(sandbox: Sandbox, running: Running, round: number): Promise<void> {
  const { scenario, hero, complaints } = running;
  const step = scenario.steps[round];
  if (!step || !hero || complaints.length > 0) return;
  await noting(running, `step ${round + 1}, ${step.does}`, async () => {
    if (step.does !== 'wait') return hero.does(step);
    const now = await sandbox.now();
    return sandbox.goTo(new Date(now.getTime() + step.ms));
  });
}

/** A refusal is the scenario's; what says nothing about the programme ends all of them. */
async function noting(
  { complaints }: Running,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isLaurelError(error) || error.status >= 500) throw error;
    complaints.push(`${what}: ${error.message}`);
  }
}

async function outcomeOf({ scenario, hero, startedAt, complaints }: Running): Promise<Outcome> {
  const { name, file, expected } = scenario;
  const found = hero && complaints.length === 0 ? await hero.complaints(expected) : complaints;
  const passed = found.length === 0;
  return {
    name,
    file,
    passed,
    durationMs: Date.now() - startedAt,
    complaints: found,
    rules: passed || !hero ? [] : await hero.rulesThatRan(),
  };
}
