// Clients: made, merged, brought by others, and buying for the first time.
import { someResident } from './draw.mjs';

/** @typedef {import('./draw.mjs').Maker} Maker */

const BOUGHT_MAX = 80;
/** Most purchases are of those who have been brought by somebody. */
const ATTRIBUTED_SHARE = 0.8;
/** Merged away, and still somebody's source. */
const MERGED_AGAIN_SHARE = 0.1;

/** @type {Record<string, Maker>} */
export const PEOPLE = {
  client: ({ tag }) => ({
    kind: 'client',
    path: '/clients',
    body: {
      first_name: 'New',
      email: `${tag}@example.com`,
      custom_fields: { op: tag },
      loyalty_program_enabled: true,
    },
  }),
  merge: (situation) => {
    const { random, workspace } = situation;
    const { newcomers } = workspace;
    if (newcomers.length === 0) return undefined;
    const position = random.int(0, newcomers.length - 1);
    const source_client_id = /** @type {string} */ (newcomers[position]);
    if (!random.chance(MERGED_AGAIN_SHARE)) newcomers.splice(position, 1);
    const body = { source_client_id, target_client_id: someResident(situation) };
    return { kind: 'merge', path: '/clients/merge', body };
  },
  code: ({ random, workspace }) => {
    const of = random.pick(workspace.referrers);
    return { kind: 'code', path: `/clients/${of}/referral`, body: undefined, of };
  },
  refer: ({ random, workspace }) => {
    const codes = [...workspace.codes.values()];
    if (codes.length === 0) return undefined;
    const referee = random.pick(workspace.referees);
    workspace.brought.push(referee);
    const body = {
      workspace_id: workspace.id,
      code: random.pick(codes),
      referee_client_id: referee.clientId,
      already_enrolled: false,
    };
    return { kind: 'refer', path: 'Attribute', body, door: 'enrolment' };
  },
  complete: ({ random, memory }) => {
    const of = memory.take('referrals', random);
    return of === undefined
      ? undefined
      : { kind: 'complete', path: `/referrals/${of}/complete`, body: {}, of };
  },
  unrefer: ({ random, memory }) => {
    const of = memory.take('referrals', random);
    return of === undefined
      ? undefined
      : { kind: 'unrefer', path: `/referrals/${of}/cancel`, body: {}, of };
  },
  buy: ({ random, workspace, tag }) => {
    const { referees, brought } = workspace;
    const attributed = brought.length > 0 && random.chance(ATTRIBUTED_SHARE);
    const { passId, clientId } = random.pick(attributed ? brought : referees);
    const body = {
      pass_id: passId,
      event_category: 'transaction',
      event_type: 'purchase',
      amount: random.int(1, BOUGHT_MAX),
      currency: 'EUR',
      external_id: `${workspace.id} ${tag}`,
    };
    return { kind: 'buy', path: '/service-api/events', body, of: clientId, door: 'account' };
  },
};
