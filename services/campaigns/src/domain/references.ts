import type { Action } from './action';
import type { Campaign } from './campaign';

/** Whether a campaign could not run as it was meant to without one of these things (part 4, section 6). */
export function refersTo(
  { segment_id: segmentId }: Pick<Campaign, 'segment_id'>,
  actions: readonly Pick<Action, 'action_type' | 'action_config'>[],
  { kind, ids }: { kind: string; ids: readonly string[] },
): boolean {
  if (kind === 'segment') return segmentId !== null && ids.includes(segmentId);
  return actions.some((action) => namedBy(action as Action, kind).some((id) => ids.includes(id)));
}

function namedBy({ action_type: type, action_config: config }: Action, kind: string): string[] {
  if (type === 'give_reward' && kind === 'reward') return config.reward_ids;
  if (type === 'assign_tier' && kind === 'tier') return [config.tier_id];
  if (type === 'template_switch' && kind === 'pass_template') return [config.target_template_id];
  return [];
}
