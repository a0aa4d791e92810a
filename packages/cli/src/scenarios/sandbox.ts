import { setTimeout as pause } from 'node:timers/promises';
import { isLaurelError, Laurel } from '@laurel/client';
import { Failed } from '../failures';
import { applyPlan } from '../programme/apply';
import type { Wanted } from '../programme/files';
import { type Found, readWorkspace } from '../programme/live';
import { createPictures } from '../programme/pictures';
import { makePlan } from '../programme/plan';
import type { Texts } from '../programme/texts';
import type { Session } from '../session';

/** A sandbox that cannot be removed stays; what went wrong before is told. */
const leftBehind = (): undefined => undefined;

const LOOK_MS = 100;
/** So little time that nothing comes due by it: what is under way is worked off, that is all. */
const MOMENT_MS = 1_000;

/** What files want, and the texts that they were read of. */
export interface Programme {
  wanted: readonly Wanted[];
  texts: Texts;
}

/** A workspace that nobody hears of, with the programme in it. */
export interface Sandbox {
  laurel: Laurel;
  /** What the programme made, by kind and key. */
  idOf(kind: Wanted['kind'], key: string): string;
  now(): Promise<Date>;
  /** Moves its clock; everything due until then is done by then. */
  goTo(moment: Date): Promise<void>;
  /** Waits until whatever has happened has had all of its consequences. */
  settle(): Promise<void>;
  remove(): Promise<void>;
}

/** Opens a sandbox and makes it as the files say. It is gone after a day, whatever becomes of this program. */
export async function openSandbox(
  { laurel: platform, options }: Pick<Session, 'laurel' | 'options'>,
  { wanted, texts }: Programme,
): Promise<Sandbox> {
  const { id, slug } = await platform.workspaces.create({ name: 'Scenarios', sandbox: true });
  const laurel = new Laurel({ ...options, workspace: id });
  const remove = async () => void (await laurel.workspaces.delete({ confirm_slug: slug }));
  try {
    const found = await readWorkspace(laurel, wanted);
    const pictures = createPictures(laurel, { workspace: id, texts });
    const plan = makePlan(await pictures.find(wanted), found);
    for await (const _ of applyPlan(laurel, plan, { found, pictures }));
    return { laurel, remove, ...clockOf(laurel), idOf: idsOf(await readWorkspace(laurel, wanted)) };
  } catch (error) {
    await remove().catch(leftBehind);
    throw error;
  }
}

function idsOf(found: readonly Found[]): Sandbox['idOf'] {
  const ids = new Map(found.map(({ kind, key, id }) => [`${kind}/${key}`, id]));
  return (kind, key) => ids.get(`${kind}/${key}`)!;
}

function clockOf(laurel: Laurel): Pick<Sandbox, 'now' | 'goTo' | 'settle'> {
  const now = async () => new Date((await laurel.workspaces.getClock()).now);
  const goTo = async (moment: Date) => {
    await begin(laurel, moment);
    for (;;) {
      const { status, problem } = await laurel.workspaces.getClock();
      if (status === 'ready') return;
      if (status === 'failed') throw new Failed(`the clock stands still: ${problem}`);
      await pause(LOOK_MS);
    }
  };
  return {
    now,
    goTo,
    settle: async () => goTo(new Date((await now()).getTime() + MOMENT_MS)),
  };
}

async function begin(laurel: Laurel, moment: Date): Promise<void> {
  try {
    await laurel.workspaces.advanceClock({ to: moment.toISOString() });
  } catch (error) {
    const isPast = isLaurelError(error) && error.reason === 'clock_goes_forward';
    // The clock has come there by itself: nothing is left but to wait for what is under way.
    if (!isPast) throw error;
    const { now } = await laurel.workspaces.getClock();
    const soon = new Date(Date.parse(now) + MOMENT_MS).toISOString();
    await laurel.workspaces.advanceClock({ to: soon });
  }
}
