import { type Action, reachesPasses } from './action';
import type { Member } from './audience';

/** Whether an action is still to come to a member: pass actions are for every member, the others for one of each client. */
export function isDue(action: Action, { leads, outcomes }: Member): boolean {
  return (leads || reachesPasses(action)) && !(action.id in outcomes);
}
