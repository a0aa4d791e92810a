import type { Deps } from '../deps';
import { type Action, reachesPasses } from '../domain/action';
import { asFixed, isMoved } from '../domain/audience';
import { type Applied, applyAction, type Served } from './apply-action';

/**
 * As `applyAction`, also where members have been merged since the audience was fixed: what was done for one before that
 * was done in the name of then. So it is asked for in that name first, which is answered as the first time, and only what
 * is refused to it is done for whom they became.
 */
export async function applyOnce(
  deps: Deps,
  action: Action,
  served: readonly Served[],
): Promise<Applied[]> {
  const moved = reachesPasses(action) ? [] : served.filter(({ member }) => isMoved(member));
  if (moved.length === 0) return applyAction(deps, action, served);
  const asThen = moved.map(({ member, client }) => ({ member: asFixed(member), client }));
  const answers = await applyAction(deps, action, asThen);
  const done = new Map(
    moved.flatMap(({ member }, at) => {
      const answer = answers[at]!;
      const isDone = answer.result === 'completed' || answer.rewardsIssued > 0;
      return isDone ? [[member.id, answer] as const] : [];
    }),
  );
  const others = served.filter(({ member }) => !done.has(member.id));
  const applied = others.length === 0 ? [] : await applyAction(deps, action, others);
  const now = new Map(others.map(({ member }, at) => [member.id, applied[at]!]));
  return served.map(({ member }) => done.get(member.id) ?? now.get(member.id)!);
}
