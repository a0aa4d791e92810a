import type { JsonObject } from '@laurel/errors';
import type { Action } from './mobile-app';
import type { StaffOperation } from './staff-operation';

/** So long a repeat is answered as the first time (part 3, section 1.3). */
const REPEATED_MS = 86_400_000;

/**
 * The action by which something was done, where it was deleted since: as much of it as a repeat of that needs, which is
 * answered by what was done. Null after a day: services forget what they were asked, and would do it anew.
 */
export function formerAction(operation: StaffOperation, now: Date): Action | null {
  if (now.getTime() - operation.at.getTime() > REPEATED_MS) return null;
  return {
    id: operation.actionId,
    name: operation.actionName,
    action_type: operation.actionType,
    description: null,
    icon: null,
    action_config: configOf(operation),
    form_fields: [],
    is_enabled: false,
    sort_order: 0,
    allowed_role_ids: null,
  };
}

/** What the action said where the request did not. */
function configOf({ actionType, amount, walletTypeCode: code }: StaffOperation): JsonObject {
  if (amount === null) return {};
  if (actionType === 'add_transaction') return { default_amount: amount };
  if (actionType !== 'add_points' && actionType !== 'remove_points') return {};
  const points = { default_points: Math.abs(amount) };
  return code === null ? points : { ...points, wallet_type_codes: [code] };
}
