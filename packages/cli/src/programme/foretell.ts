import { isLaurelError, type Laurel, type TiersPreviewBody } from '@laurel/client';
import { TIER_DECIDING } from '@laurel/contract';
import type { Body } from './kinds';
import { type Found, namesOf } from './live';
import type { Plan, Step } from './plan';
import { toApi } from './references';

/** Members who would change their tier. */
export interface Move {
  /** Keys of tiers; null for none. */
  from: string | null;
  to: string | null;
  members: number;
}

/**
 * What a plan would do to members' tiers, asked once for the whole ladder.
 *
 * @returns a sentence instead where the platform cannot say it before, because a part of the plan is not there yet
 */
export async function foretellTiers(
  laurel: Laurel,
  { steps, others }: Plan,
  found: readonly Found[],
): Promise<Move[] | string> {
  const isLadder = ({ wanted: { kind } }: Step) => kind === 'tiers' || kind === 'tier_set';
  const own = steps.filter(isLadder);
  const isThere = found.some(({ kind }) => kind === 'tier_set');
  if (!isThere || own.every(({ action }) => action === 'keep')) return [];
  const names = namesOf(found);
  const set = own.find(({ wanted: { kind } }) => kind === 'tier_set')?.wanted.body ?? {};
  const tiers = [
    ...own
      .filter(({ wanted: { kind } }) => kind === 'tiers')
      .map(({ id, wanted: { key, body } }) => ({ id, key, body })),
    ...others.filter(({ kind }) => kind === 'tiers'),
  ];
  const { conditions, downgrade_config } = toApi(set, names, { where: 'tiers' }) as Body;
  const draft = {
    ...(conditions === undefined ? {} : { conditions }),
    ...(downgrade_config === undefined ? {} : { downgrade_config }),
    tiers: tiers.map(({ id, body }) => ({
      ...(id === null ? {} : { id }),
      ...Object.fromEntries(
        Object.entries(body).filter(([name]) => TIER_DECIDING.some((one) => one === name)),
      ),
    })),
  } as TiersPreviewBody;
  try {
    const { changes } = await laurel.tiers.preview(draft);
    const keyOf = (id: string | null): string | null => {
      if (id === null) return null;
      const fresh = /^new:(\d+)$/.exec(id)?.[1];
      return (fresh === undefined ? names.keyOf('tiers', id) : tiers[Number(fresh)]?.key) ?? id;
    };
    return changes.map(({ from_tier_id, to_tier_id, count = 0 }) => ({
      from: keyOf(from_tier_id),
      to: keyOf(to_tier_id),
      members: count,
    }));
  } catch (error) {
    if (isLaurelError(error) && error.status === 400) return error.message;
    throw error;
  }
}

export function wordsOfMoves(moves: Move[] | string): string[] {
  if (typeof moves === 'string')
    return [`  what that does to members cannot be said yet: ${moves}`];
  return moves.map(
    ({ from, to, members }) =>
      `  ${members} ${members === 1 ? 'member' : 'members'}: ${from ?? 'no tier'} → ${to ?? 'no tier'}`,
  );
}
