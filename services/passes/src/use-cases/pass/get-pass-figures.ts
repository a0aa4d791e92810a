import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';

/** Passes as an overview shows them: how many there are, on which phones, and how many were made day by day. */
export async function getPassFigures(
  { dailyPasses, keptPassCounts }: Pick<PassDeps, 'dailyPasses' | 'keptPassCounts'>,
  { workspace_id: workspaceId, day_starts, until }: api.PassFiguresRequest,
): Promise<api.PassFigures> {
  const [counts, days] = await Promise.all([
    keptPassCounts.of(workspaceId),
    dailyPasses.of(workspaceId, day_starts, until),
  ]);
  return { counts, made_by_day: days.map((day) => ({ value: day?.count ?? null })) };
}
