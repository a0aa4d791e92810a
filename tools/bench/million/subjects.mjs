// What is measured over the million, each beside what the store needs for it (raw.mjs).

const BATCH = 100;
const EARNED = 10;

/**
 * @typedef {{ operation: (sequence: number) => Promise<unknown>, perCall?: number, raw?: string }} Subject
 *
 * @param {import('../subjects.mjs').Http} http
 * @param {import('./scene.mjs').Place} place
 * @param {import('./samples.mjs').Samples} samples
 * @returns {Record<string, Subject>}
 */
export function subjectsOf(http, { id, token, rewardId, segmentId }, samples) {
  const path = (rest) => `/service-api/workspace/${id}/${rest}`;
  const get = (rest) => http.request('GET', path(rest), { token });
  const post = (rest, body) => http.request('POST', path(rest), { token, body });
  // Who has earned in this run has something to spend.
  let earners = 0;
  const earn = (sequence) => {
    earners = Math.max(earners, sequence + 1);
    return post('loyalty/points/earn', { client_id: samples.client(sequence), amount: EARNED });
  };
  const earner = (sequence) => samples.client(sequence % earners);
  const search = (textOf) => (sequence) =>
    get(`clients?limit=50&search=${encodeURIComponent(textOf(sequence))}`);
  const deep = (sequence) => samples.deepClients[sequence % samples.deepClients.length];
  return {
    earn: { operation: earn, raw: 'raw insert of an entry' },
    spend: {
      operation: (sequence) =>
        post('loyalty/points/spend', { client_id: earner(sequence), amount: 1 }),
      raw: 'raw insert of an entry',
    },
    'earn, batches of 100 (entries)': {
      perCall: BATCH,
      raw: 'raw insert of 100 entries (entries)',
      operation: (sequence) => {
        const operations = Array.from({ length: BATCH }, (_, index) => ({
          op: 'earn',
          client_id: samples.client(sequence * BATCH + index),
          amount: 1,
        }));
        return post('loyalty/points/batch', { operations });
      },
    },
    redeem: {
      raw: 'raw writes of a redemption',
      operation: (sequence) =>
        post('rewards/redeem', { reward_id: rewardId, client_id: earner(sequence) }),
    },
    'ledger of a wallet': {
      raw: 'raw page of a wallet',
      operation: (sequence) => get(`clients/${deep(sequence)}/points/ledger?limit=50`),
    },
    'ledger of a wallet at depth': {
      raw: 'raw page of a wallet at depth',
      operation: (sequence) =>
        get(`clients/${deep(sequence)}/points/ledger?limit=50&offset=${samples.walletDepth.deep}`),
    },
    'ledger of the workspace': {
      raw: 'raw latest entries',
      operation: () => get('loyalty/points/ledger?limit=50'),
    },
    'ledger of the workspace at an offset': {
      raw: 'raw entries at an offset',
      operation: () => get(`loyalty/points/ledger?limit=50&offset=${samples.entryDepth}`),
    },
    'ledger of the workspace, middle': {
      raw: 'raw entries of the middle',
      operation: () =>
        get(`loyalty/points/ledger?limit=50&cursor=${encodeCursor(samples.middle.id)}`),
    },
    'newest clients': {
      raw: 'raw newest clients',
      operation: () => get('clients?limit=50'),
    },
    'clients at an offset': {
      raw: 'raw clients at an offset',
      operation: () => get(`clients?limit=50&offset=${samples.clientDepth}`),
    },
    'clients, middle': {
      raw: 'raw clients of the middle',
      operation: () => get(`clients?limit=50&cursor=${clientCursor(samples.middle)}`),
    },
    'count of a segment': {
      operation: () =>
        http.request('POST', `/service-api/segments/${segmentId}/calculate`, { token, body: {} }),
    },
    'clients of a segment': {
      operation: () =>
        http.request('GET', `/service-api/segments/${segmentId}/clients?limit=50`, { token }),
    },
    'search by full name': {
      raw: 'raw clients by full name',
      operation: search(samples.fullName),
    },
    'search by last name': { raw: 'raw clients by last name', operation: search(samples.lastName) },
    'search by first name': {
      raw: 'raw clients by first name',
      operation: search(samples.firstName),
    },
    'search by e-mail': { raw: 'raw client by e-mail', operation: search(samples.email) },
    'search by phone': { raw: 'raw client by phone', operation: search(samples.phone) },
  };
}

/** @param {unknown} position as a page would have given it out */
const encodeCursor = (position) => Buffer.from(JSON.stringify(position)).toString('base64url');

const clientCursor = ({ at, id }) =>
  encodeCursor({ sort: '-date_created', value: { at: at.getTime() }, id });
