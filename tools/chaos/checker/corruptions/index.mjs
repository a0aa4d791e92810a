// Every harm that the checker must notice; each names the invariant that does.
import { BALANCES } from './balances.mjs';
import { DOORS } from './doors.mjs';
import { GUESTS } from './guests.mjs';
import { HISTORY } from './history.mjs';
import { LETTERS } from './letters.mjs';
import { LOTS } from './lots.mjs';
import { MESSAGES } from './messages.mjs';
import { PEOPLE } from './people.mjs';
import { REWARDS } from './rewards.mjs';
import { SHOPPING } from './shopping.mjs';

export const CORRUPTIONS = [
  ...BALANCES,
  ...LOTS,
  ...HISTORY,
  ...MESSAGES,
  ...REWARDS,
  ...PEOPLE,
  ...SHOPPING,
  ...GUESTS,
  ...DOORS,
  ...LETTERS,
];
