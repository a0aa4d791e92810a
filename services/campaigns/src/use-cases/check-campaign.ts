import { invalidPayload, type Json, type Problem, Refusal } from '@laurel/errors';
import type { Deps } from '../deps';
import type { Action } from '../domain/action';
import type { CampaignHead } from '../store/mapping';
import { checkAction } from './check-action';
import { requireSegment } from './check-audience';

type CheckDeps = Pick<Deps, 'actions' | 'clients' | 'passes' | 'rewards' | 'tiers'>;

/**
 * Refuses to let a campaign run for which what it names has gone since it was drafted: drafts keep nothing from being
 * deleted. Each problem is named by its place, `actions.0.action_config.reward_ids.1`.
 */
export async function requireRunnable(
  deps: CheckDeps,
  { workspace_id: workspaceId, id, segment_id: segmentId }: CampaignHead,
): Promise<void> {
  await requireSegment(deps, workspaceId, segmentId);
  const actions = await deps.actions.list(workspaceId, id);
  const problems = await Promise.all(
    actions.map((action, index) => problemsOf(deps, action, index)),
  );
  if (problems.flat().length > 0) throw invalidPayload(problems.flat());
}

async function problemsOf(deps: CheckDeps, action: Action, index: number): Promise<Problem[]> {
  const { workspace_id: workspaceId, action_type: type } = action;
  const place = (text: string) => text.replace('action_config', `actions.${index}.action_config`);
  try {
    await checkAction(deps, workspaceId, { type, config: action.action_config as unknown as Json });
    return [];
  } catch (error) {
    if (!(error instanceof Refusal) || error.httpStatus !== 400) throw error;
    return error.problems.map(({ field = 'action_config', message, ...problem }) => ({
      ...problem,
      field: place(field),
      message: place(message),
    }));
  }
}
