// A demo workspace with one client, some points, a reward, a card, a sign-up form and the portal switched on, made through the public API like anybody else would.
import { randomBytes } from 'node:crypto';
import { readPrivate, writePrivate } from './secrets.mjs';

const WORKSPACE = { name: 'Laurel demo', slug: 'laurel-demo' };
const WALLET_TYPE = { code: 'points', name: 'Points', is_default: true };
const CLIENT = {
  first_name: 'Ada',
  last_name: 'Laurel',
  email: 'ada@example.com',
  loyalty_program_enabled: true,
};
const REWARD = { name: 'Free coffee', cost_in_points: 50, code_pattern: 'COFFEE-{RAND:6}' };
const PROJECT = { name: 'Laurel demo' };
const CARD = {
  name: 'Loyalty card',
  pass_type: 'LOYALTY',
  top_field_label: WALLET_TYPE.name,
  top_field_value: `\${wallet:${WALLET_TYPE.code}.points}`,
};
const FORM = { name: 'At the counter', delivery_mode: 'page' };
/** The external id makes it once only, however often it is sent. */
const WELCOME = { amount: 100, description: 'Welcome points', external_id: 'demo-welcome' };

/**
 * @typedef {{ email: string, password: string, token: string, workspace_id: string, client_id: string, client_email: string, portal_slug: string, form_path?: string }} Demo
 * @param {{ baseUrl: string, file: string }} options `file` keeps the credentials between starts
 * @returns {Promise<Demo>}
 */
export async function seedDemo({ baseUrl, file }) {
  const kept = readPrivate(file);
  if (kept?.portal_slug && (await isStillThere(baseUrl, kept))) return kept;

  const { credentials, bearer } = await signIn(baseUrl, kept ?? newCredentials());
  writePrivate(file, credentials);
  const call = caller(baseUrl, bearer);
  const workspace = await findOrCreate(
    call,
    '/workspaces',
    ({ slug }) => slug === WORKSPACE.slug,
    WORKSPACE,
  );
  const inWorkspace = `/workspace/${workspace.id}`;
  const walletType = await findOrCreate(
    call,
    `${inWorkspace}/wallet-types`,
    ({ code }) => code === WALLET_TYPE.code,
    WALLET_TYPE,
  );
  const client = await findOrCreate(
    call,
    `${inWorkspace}/clients`,
    ({ email }) => email === CLIENT.email,
    CLIENT,
  );
  await call('POST', `${inWorkspace}/loyalty/points/earn`, { client_id: client.id, ...WELCOME });
  await findOrCreate(call, `${inWorkspace}/rewards`, ({ name }) => name === REWARD.name, {
    ...REWARD,
    wallet_type_id: walletType.id,
  });
  const formUrl = await findOrCreateForm(call, inWorkspace);
  await call('PUT', `${inWorkspace}/portal-config`, { is_enabled: true });
  const { token } = await call('POST', '/user/api-token/regenerate', {});

  const demo = {
    ...credentials,
    token,
    workspace_id: workspace.id,
    client_id: client.id,
    client_email: CLIENT.email,
    portal_slug: workspace.slug,
    form_path: new URL(formUrl).pathname,
  };
  writePrivate(file, demo);
  return demo;
}

/**
 * Where somebody joins by themselves, and the card that they get.
 *
 * @param {ReturnType<typeof caller>} call
 * @param {string} inWorkspace
 * @returns {Promise<string>} its address
 */
async function findOrCreateForm(call, inWorkspace) {
  /** @param {string} path @param {{ name: string, [field: string]: unknown }} body */
  const make = (path, body) =>
    findOrCreate(call, `${inWorkspace}${path}`, ({ name }) => name === body.name, body);
  const { id: project_id } = await make('/projects', PROJECT);
  const { id: pass_template_id } = await make('/pass-templates', { ...CARD, project_id });
  return (await make('/distributions', { ...FORM, project_id, pass_template_id })).public_url;
}

/**
 * @param {string} baseUrl
 * @param {Demo} demo
 */
async function isStillThere(baseUrl, demo) {
  const path = `/service-api/workspace/${demo.workspace_id}/clients/${demo.client_id}`;
  const response = await fetch(baseUrl + path, {
    headers: { authorization: `Bearer ${demo.token}` },
  });
  return response.ok;
}

const newCredentials = () => ({
  email: `demo-${randomBytes(3).toString('hex')}@example.com`,
  password: `laurel-${randomBytes(6).toString('hex')}`,
});

/**
 * Registers, or logs in where the address is known already; a foreign database may know it with another password.
 *
 * @param {string} baseUrl
 * @param {{ email: string, password: string }} wanted
 */
async function signIn(baseUrl, { email, password }) {
  let credentials = { email, password };
  let login = await registerAndLogIn(baseUrl, credentials);
  if (login.status === 401) {
    credentials = newCredentials();
    login = await registerAndLogIn(baseUrl, credentials);
  }
  const { data } = await answered(login, 'POST /auth/login');
  return { credentials, bearer: data.access_token };
}

/**
 * @param {string} baseUrl
 * @param {{ email: string, password: string }} credentials
 */
async function registerAndLogIn(baseUrl, credentials) {
  const registered = await post(`${baseUrl}/auth/register`, {
    ...credentials,
    first_name: 'Demo',
    last_name: 'User',
  });
  // 400: the address is taken, 403: registration is closed; either way the login tells.
  if (!registered.ok && ![400, 403].includes(registered.status))
    await answered(registered, 'POST /auth/register');
  return post(`${baseUrl}/auth/login`, credentials);
}

/**
 * @param {string} url
 * @param {object} body
 * @param {Record<string, string>} [headers]
 */
const post = (url, body, headers = {}) => send('POST', url, body, headers);

/**
 * @param {string} method
 * @param {string} url
 * @param {object} body
 * @param {Record<string, string>} headers
 */
const send = (method, url, body, headers) =>
  fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/**
 * @param {Response} response
 * @param {string} what
 * @returns {Promise<any>} its JSON body
 */
async function answered(response, what) {
  const text = await response.text();
  if (!response.ok) throw new Error(`${what} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/**
 * @param {string} baseUrl
 * @param {string} bearer
 */
function caller(baseUrl, bearer) {
  const authorization = `Bearer ${bearer}`;
  /** @type {(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<any>} */
  return async (method, path, body) => {
    const url = `${baseUrl}/service-api${path}`;
    const response = body
      ? await send(method, url, body, { authorization })
      : await fetch(url, { headers: { authorization } });
    return answered(response, `${method} ${path}`);
  };
}

/**
 * @param {ReturnType<typeof caller>} call
 * @param {string} path of the collection
 * @param {(row: any) => boolean} isWanted
 * @param {object} row what to create
 */
async function findOrCreate(call, path, isWanted, row) {
  const { data } = await call('GET', path);
  return data.find(isWanted) ?? (await call('POST', path, row)).data;
}
