import { statSync } from 'node:fs';
import type { Laurel } from '@laurel/client';
import { UsageError } from '../../failures';
import { readHead, readProgramme, readTexts, type Texts } from '../../programme/files';
import { requireSeen, seenBy } from '../../programme/ground';
import { type Found, readWorkspace } from '../../programme/live';
import { afterMoves, readMoves } from '../../programme/moved';
import { digestOfPlan, makePlan, type Plan } from '../../programme/plan';
import { readPlan } from '../../programme/plan-file';
import { type Drift, driftsOf, type Register, readRegister } from '../../programme/register';
import { removalsOf } from '../../programme/removal';
import { createTags, groundMoved, type Tags } from '../../programme/tags';
import type { Session } from '../../session';
import type { Terminal } from '../../terminal';

/** What files want of a workspace, and what of that somebody decided otherwise. */
export interface Planned {
  files: Texts;
  plan: Plan;
  found: Found[];
  /** Null where the files have no name. */
  register: Register | null;
  drifts: Drift[];
}

type Env = Terminal['env'];

/** Compares files with a workspace. */
export async function planOf(laurel: Laurel, env: Env, files: Texts): Promise<Planned> {
  const wanted = readProgramme(files, env);
  const moves = readMoves(files, env, wanted);
  const found = await readWorkspace(laurel, wanted, moves);
  const { name, onRemoval } = readHead(files, env);
  if (name === null)
    return { files, plan: makePlan(wanted, found), found, register: null, drifts: [] };
  const noted = await readRegister(laurel, name);
  const register = { ...noted, managed: afterMoves(noted.managed, moves) };
  const removals = removalsOf(register.managed, { wanted, found, onRemoval });
  const plan = makePlan(wanted, found, removals);
  const drifts = await driftsOf(laurel, plan, { register, found });
  return { files, plan, found, register, drifts };
}

/**
 * A folder as it is planned now, or a plan that was kept: that one only while it is what would happen, and everything
 * that it changes is the version that it was made of.
 */
export async function planFrom(
  { laurel, workspace }: Pick<Session, 'laurel' | 'workspace'>,
  env: Env,
  source: string,
): Promise<Planned & { tags: Tags }> {
  const isFile = statSync(source, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile) return { ...(await planOf(laurel, env, readTexts(source))), tags: createTags([]) };
  const kept = readPlan(source);
  if (kept.workspace !== workspace)
    throw new UsageError(`${source} is a plan for the workspace ${kept.workspace}`);
  const planned = await planOf(laurel, env, kept.files);
  const name = digestOfPlan(planned.plan);
  if (name !== kept.plan || (planned.register?.etag ?? null) !== kept.register)
    throw groundMoved(
      name === kept.plan
        ? 'somebody applied these files in between'
        : `what would be done now is another plan (${name})`,
    );
  requireSeen(kept.seen, await seenBy(laurel, planned.plan, planned.found));
  return { ...planned, tags: createTags(kept.seen) };
}
