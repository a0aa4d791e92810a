// What comes from outside: a shop system tells of purchases, people sign up by a form, members redeem on the portal, staff give
// points at the till, and take some back.
import { TILL_WALLET } from '../till.mjs';
import { someAmount } from './draw.mjs';

/** @typedef {import('./draw.mjs').Maker} Maker */

const PUBLIC = /** @type {const} */ ('public');
const CENTS_MAX = 5_000;
const POINTS_MAX = 50;
/** Shop systems send again what has been taken long ago; people fill in a form that they have filled in before. */
const AGAIN_SHARE = 0.2;

/** @type {Record<string, Maker>} */
export const DOORS = {
  deliver: ({ random, workspace, tag }) => {
    const { doors, delivered } = workspace;
    const before = random.chance(AGAIN_SHARE) && delivered.length > 0;
    if (before) return random.pick(delivered);
    const { email, clientId } = random.pick(doors.regulars);
    const total = random.int(1, CENTS_MAX) / 100;
    const body = { id: `order-${tag}`, total, customer: { email } };
    const intent = { kind: 'deliver', path: doors.inbox, body, of: clientId, door: PUBLIC };
    delivered.push(intent);
    return intent;
  },
  enrol: ({ random, workspace, tag }) => {
    const { doors, enrolled } = workspace;
    const before = random.chance(AGAIN_SHARE) && enrolled.length > 0;
    const email = before ? random.pick(enrolled) : `form-${workspace.id}-${tag}@example.com`;
    if (!before) enrolled.push(email);
    const body = { email, first_name: 'Eva' };
    return { kind: 'enrol', path: doors.form, body, of: email, door: PUBLIC };
  },
  claim: ({ random, workspace }) => {
    const { clientId, token } = random.pick(workspace.doors.visitors);
    return {
      kind: 'claim',
      path: `/service-api/public/loyalty/rewards/${random.pick(workspace.rewards)}/redeem`,
      body: {},
      of: clientId,
      door: PUBLIC,
      headers: { 'x-client-token': token },
    };
  },
  serve: ({ random, workspace }) => {
    const { passId, clientId } = random.pick(workspace.referees);
    const { action, token } = workspace.till;
    const points = someAmount(random, POINTS_MAX);
    return {
      kind: 'serve',
      path: `/service-api/mobile-app-actions/${action}/execute`,
      body: { pass_id: passId, data: { points, wallet_type_code: TILL_WALLET } },
      of: clientId,
      door: PUBLIC,
      headers: { 'x-mobile-token': token },
    };
  },
  unserve: ({ random, workspace }) => {
    // Only the device that did it may take it back.
    const own = workspace.served.filter(({ token }) => token === workspace.till.token);
    if (own.length === 0) return undefined;
    const { operation, token } = random.pick(own);
    // Now and then what is taken back already stays to be asked for again.
    if (!random.chance(AGAIN_SHARE))
      workspace.served = workspace.served.filter((one) => one.operation !== operation);
    return {
      kind: 'unserve',
      path: `/service-api/mobile-app/operations/${operation}/undo`,
      body: {},
      of: operation,
      door: PUBLIC,
      headers: { 'x-mobile-token': token },
    };
  },
};
