import type { AppActionType } from '@laurel/contract';
import type { Action } from './mobile-app';

export type ActionFields = Pick<Action, 'name' | 'action_type'> & Partial<Omit<Action, 'id'>>;

/** An action with what was left out at its default. */
export function newAction(id: string, sortOrder: number, fields: ActionFields): Action {
  return {
    description: null,
    icon: null,
    action_config: {},
    form_fields: [],
    is_enabled: true,
    sort_order: sortOrder,
    allowed_role_ids: null,
    ...fields,
    id,
  };
}

const DEFAULTS: readonly [AppActionType, string][] = [
  ['add_points', 'Add points'],
  ['remove_points', 'Remove points'],
  ['redeem_reward', 'Redeem reward'],
  ['update_client_data', 'Update client data'],
];

/** What every app starts with, also while the workspace has no reward yet (part 3, section 16). */
export function defaultActions(newId: () => string): Action[] {
  return DEFAULTS.map(([action_type, name], place) =>
    newAction(newId(), place, { name, action_type }),
  );
}
