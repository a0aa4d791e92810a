import { Laurel } from '@laurel/client';
import { applyPlan } from '../programme/apply';
import type { Wanted } from '../programme/files';
import { type Found, readWorkspace } from '../programme/live';
import { createPictures } from '../programme/pictures';
import { makePlan } from '../programme/plan';
import type { Texts } from '../programme/texts';
import type { Session } from '../session';
import { type Clock, clockOf } from './clock';

/** A sandbox that cannot be removed, or whose answer to that was lost, is gone after a day; what scenarios say goes on. */
const leftBehind = (): undefined => undefined;

/** A machine that plays scenarios is a busy one: what it has no time for now is asked for again. */
const RETRIES = 5;

/** What files want, and the texts that they were read of. */
export interface Programme {
  wanted: readonly Wanted[];
  texts: Texts;
}

/** A workspace that no customer hears of, with the programme in it. */
export interface Sandbox extends Clock {
  laurel: Laurel;
  /** What the programme made, by kind and key. */
  idOf(kind: Wanted['kind'], key: string): string;
  remove(): Promise<void>;
}

/** Opens a sandbox and makes it as the files say. It is gone after a day, whatever becomes of this program. */
export async function openSandbox(
  { laurel: platform, options }: Pick<Session, 'laurel' | 'options'>,
  { wanted, texts }: Programme,
): Promise<Sandbox> {
  const { id, slug } = await platform.workspaces.create({ name: 'Scenarios', sandbox: true });
  const laurel = new Laurel({ ...options, retries: RETRIES, workspace: id });
  const remove = async () => {
    await laurel.workspaces.delete({ confirm_slug: slug }).catch(leftBehind);
  };
  try {
    const found = await readWorkspace(laurel, wanted);
    const pictures = createPictures(laurel, { workspace: id, texts });
    const plan = makePlan(await pictures.find(wanted), found);
    for await (const _ of applyPlan(laurel, plan, { found, pictures }));
    return { laurel, remove, ...clockOf(laurel), idOf: idsOf(await readWorkspace(laurel, wanted)) };
  } catch (error) {
    await remove();
    throw error;
  }
}

function idsOf(found: readonly Found[]): Sandbox['idOf'] {
  const ids = new Map(found.map(({ kind, key, id }) => [`${kind}/${key}`, id]));
  return (kind, key) => ids.get(`${kind}/${key}`)!;
}
