import { statSync } from 'node:fs';
import type { Laurel } from '@laurel/client';
import { UsageError } from '../../failures';
import { readHead, readProgramme } from '../../programme/files';
import { requireSeen, seenBy } from '../../programme/ground';
import { type Found, readWorkspace } from '../../programme/live';
import { afterMoves, readMoves } from '../../programme/moved';
import { createPictures, type Pictures } from '../../programme/pictures';
import { digestOfPlan, makePlan, type Plan } from '../../programme/plan';
import { readPlan } from '../../programme/plan-file';
import { type Drift, driftsOf, type Register, readRegister } from '../../programme/register';
import { removalsOf } from '../../programme/removal';
import { createTags, groundMoved, type Tags } from '../../programme/tags';
import { type Contents, contentsOf, hiding, readTexts, type Texts } from '../../programme/texts';
import type { Session } from '../../session';
import type { Terminal } from '../../terminal';

/** What files want of a workspace, and what of that somebody decided otherwise. */
export interface Planned {
  files: Texts;
  pictures: Pictures;
  /** What is said of it, without the values out of the environment. */
  hide: (text: string) => string;
  plan: Plan;
  found: Found[];
  /** Null where the files have no name. */
  register: Register | null;
  drifts: Drift[];
}

type Env = Terminal['env'];
/** The platform as the signed-in user, and the workspace that they work in. */
export type Place = Pick<Session, 'laurel'> & { workspace: string };

/** What files want, and what is there. */
export async function wantedAndFound(
  { laurel, workspace }: Place,
  { texts, contents }: { texts: Texts; contents: Contents },
) {
  const pictures = createPictures(laurel, { workspace, texts });
  const wanted = await pictures.find(readProgramme(contents));
  const moves = readMoves(contents, wanted);
  const found = await readWorkspace(laurel, wanted, moves);
  return { pictures, wanted, moves, found };
}

/** Compares files with a workspace. */
export async function planOf(place: Place, env: Env, files: Texts): Promise<Planned> {
  const contents = contentsOf(files, env);
  const { name, onRemoval } = readHead(contents);
  const { laurel } = place;
  const read = () => wantedAndFound(place, { texts: files, contents });
  const { noted, pictures, wanted, moves, found } =
    name === null ? { noted: null, ...(await read()) } : await readTogether(laurel, name, read);
  const made = { files, pictures, hide: hiding(files, env) };
  if (noted === null)
    return { ...made, plan: makePlan(wanted, found), found, register: null, drifts: [] };
  const register = { ...noted, managed: afterMoves(noted.managed, moves) };
  const removals = removalsOf(register.managed, { wanted, found, onRemoval });
  const plan = makePlan(wanted, found, removals);
  const drifts = await driftsOf(laurel, plan, { register, found });
  return { ...made, plan, found, register, drifts };
}

const READINGS_MAX = 5;

/**
 * The register and a workspace that belong together: where somebody applied the files between the two, what they made
 * would look as if it had been changed by hand.
 */
async function readTogether<Read extends object>(
  laurel: Laurel,
  name: string,
  read: () => Promise<Read>,
): Promise<Read & { noted: Register }> {
  let noted = await readRegister(laurel, name);
  for (let readings = 1; ; readings += 1) {
    const found = await read();
    const after = await readRegister(laurel, name);
    if (after.etag === noted.etag || readings === READINGS_MAX) return { ...found, noted: after };
    noted = after;
  }
}

/**
 * A folder as it is planned now, or a plan that was kept: that one only while it is what would happen, and everything
 * that it changes is the version that it was made of.
 */
export async function planFrom(
  place: Place,
  env: Env,
  source: string,
): Promise<Planned & { tags: Tags }> {
  const isFile = statSync(source, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile) return { ...(await planOf(place, env, readTexts(source))), tags: createTags([]) };
  const kept = readPlan(source);
  if (kept.workspace !== place.workspace)
    throw new UsageError(`${source} is a plan for the workspace ${kept.workspace}`);
  const planned = await planOf(place, env, kept.files);
  const name = digestOfPlan(planned.plan);
  if (name !== kept.plan || (planned.register?.etag ?? null) !== kept.register)
    throw groundMoved(
      name === kept.plan
        ? 'somebody applied these files in between'
        : `what would be done now is another plan (${name})`,
    );
  requireSeen(kept.seen, await seenBy(place.laurel, planned.plan, planned.found));
  return { ...planned, tags: createTags(kept.seen) };
}
