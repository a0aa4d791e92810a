// Requests that several operations have in common.
import { multipart } from '../makers/inputs.mjs';

/** @typedef {import('../requests.mjs').Base} Base */
/** @typedef {(noun: string) => Promise<any>} Row a row that only this operation uses */
/** @typedef {(world: import('../world.mjs').World, row: Row) => Promise<Base>} MakeBase */

export const RANGE = { from_date: '2026-01-01', to_date: '2026-01-31' };
export const SALES = { date_from: '2026-01-01', date_to: '2026-01-31', location_ids: [1] };
export const RULE = {
  name: 'Rule',
  active: false,
  trigger_type: 'transaction',
  effects: [{ type: 'send_push', body: 'Hello' }],
};

/** A body that needs nothing. @param {() => object} body @returns {MakeBase} */
export const sends = (body) => async () => ({ body: body() });

/** The row that the path names. @param {string} noun @param {string} [parameter] @param {unknown} [body] @returns {MakeBase} */
export const on =
  (noun, parameter = 'id', body) =>
  async (_world, row) => ({ params: { [parameter]: await row(noun) }, body });

/** @param {string} provider @param {Base} [rest] @returns {MakeBase} */
export const provider =
  (provider, rest = {}) =>
  async (world) => {
    await world.get(provider === 'pos' ? 'sales_import' : 'inbox');
    return { body: undefined, ...rest, params: { provider } };
  };

/** In a further workspace, so that the world keeps what it has. @param {string[]} nouns @param {unknown} [body] @returns {MakeBase} */
export const aside = (nouns, body) => async (_world, row) => {
  const side = await row('side');
  for (const noun of nouns) await side.get(noun);
  return { params: { workspaceId: side.id }, body };
};

/** @type {MakeBase} */
export const signed = async (world) => ({ params: { ...(await world.get('link')) } });

/** @type {MakeBase} */
export const ofPhone = async (world) => {
  const { device, passType, serialNumber, token } = await world.get('apple_pass');
  return {
    params: { device, passType, serialNumber },
    headers: { Authorization: `ApplePass ${token}` },
  };
};

/** @param {() => { name: string, filename: string, type: string, content: Buffer }} file @returns {MakeBase} */
export const uploads = (file) => async (world) => {
  const { body, contentType } = multipart([file()], { workspace_id: world.id });
  return { body: undefined, content: body, headers: { 'Content-Type': contentType } };
};

/** @param {object} body @returns {MakeBase} */
export const moves = (body) => async (world) => {
  await world.get('entry');
  return { body: { client_id: await world.get('client'), amount: 1, ...body } };
};

/** A sign-in of its own, which may be ended. @param {string} field @returns {MakeBase} */
export const session = (field) => async (world) => ({
  body: {
    refresh_token: (await world.client.signIn(world.owner))[/** @type {'refresh_token'} */ (field)],
  },
});

/** What a browser says of a page of ours. */
export const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Laurel-Page': '1' };

/** As a page of ours with the cookie of a sign-in of its own. @param {string} path @param {(world: import('../world.mjs').World, row: Row) => Promise<object>} proof @returns {MakeBase} */
export const byCookie = (path, proof) => async (world, row) => ({
  body: undefined,
  headers: { ...OWN_PAGE, Cookie: await world.client.cookieOf(path, await proof(world, row)) },
});

/** @type {MakeBase} */
export const onPhone = async (_world, row) => ({
  body: { refresh_token: (await row('device')).refreshToken },
});

/** @type {MakeBase} */
export const widget = async (world) => ({ params: { token: (await world.get('form')).token } });
