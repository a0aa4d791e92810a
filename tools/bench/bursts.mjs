// npm run bench -- --bursts: what comes at once, and who waits for it.
//
//   1. 1 000 events of as many clients in one request, while rules give points over them
//   2. 200 requests at once about one client
//   3. how long a purchase in one workspace waits for its points while 200 events of another come in
//   4. a CSV of --rows clients taken over, then once more with a changed name
//
// It starts a platform in one process; --url takes one that runs.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { instanceAt, LOCAL } from '../../deploy/local/lib/paths.mjs';
import { Platform, playToTheEnd } from '../../deploy/local/lib/platform.mjs';
import { say } from '../../deploy/local/lib/progress.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { createClient } from '../lib/public-client.mjs';
import { createHttp } from '../lib/raw-http.mjs';
import { until } from '../lib/until.mjs';

const INSTANCE = instanceAt(path.join(LOCAL, 'bursts'));
const BATCH = 1_000;
const PARALLEL = 200;
const WAIT_MS = 600_000;
const IN_FLIGHT = 500;

const { values: asked } = parseArgs({
  options: {
    url: { type: 'string' },
    rows: { type: 'string', default: '20000' },
    bursts: { type: 'boolean' },
  },
});
const platform = new Platform(INSTANCE);

async function startPlatform() {
  await platform.beginAnew();
  const urls = await platform.startInfrastructure();
  const settings = { TRUST_PROXY: '1', RATE_LIMIT_TOKEN_PER_MINUTE: '1000000' };
  return startGateway(platform, urls, { settings });
}

/** @template T @param {() => Promise<T>} work @returns {Promise<[number, T]>} */
async function timed(work) {
  const began = performance.now();
  const result = await work();
  return [Math.round(performance.now() - began), result];
}

/** A workspace whose members get a point per euro. @param {import('../lib/public-client.mjs').Client} client */
async function newShop(client) {
  const person = await client.register();
  const { access_token: token } = await client.signIn(person);
  const headers = { Authorization: `Bearer ${token}` };
  /** @param {string} method @param {string} to @param {unknown} [body] */
  const send = (method, to, body) =>
    client.must(method, `/service-api${to}`, { headers, ...(body === undefined ? {} : { body }) });
  const { data } = await send('POST', '/workspaces', { name: 'Burst' });
  const at = (/** @type {string} */ to) => to.replace(':ws', `/workspace/${data.id}`);
  /** @param {string} method @param {string} to @param {unknown} [body] */
  const call = (method, to, body) => send(method, at(to), body);
  await call('POST', ':ws/wallet-types', { code: 'points', name: 'Points' });
  const effect = { type: 'earn_points', wallet_type_code: 'points', amount_type: 'expression' };
  await call('POST', ':ws/automations', {
    name: 'One per euro',
    trigger_type: 'transaction',
    effects: [{ ...effect, amount_expression: 'event.amount' }],
  });
  const project = await call('POST', ':ws/projects', { name: 'Cards' });
  const template = await call('POST', ':ws/pass-templates', {
    project_id: project.data.id,
    name: 'Card',
  });
  const newPass = async () => {
    const member = await call('POST', ':ws/clients', { first_name: 'Member' });
    const of = { project_id: project.data.id, pass_template_id: template.data.id };
    const body = { ...of, client_id: member.data.id };
    const pass = await call('POST', ':ws/passes', body);
    return { passId: pass.data.id, clientId: member.data.id };
  };
  /** @param {string} method @param {string} to @param {NonNullable<Parameters<typeof client.call>[2]>} more */
  const raw = (method, to, more) =>
    client.call(method, `/service-api${at(to)}`, {
      ...more,
      headers: { ...headers, ...more.headers },
    });
  const activeOf = async (/** @type {string} */ id) =>
    (await call('GET', `:ws/clients/${id}/wallets`)).data[0].wallet.active_balance;
  return { call, raw, newPass, activeOf };
}

/** @typedef {Awaited<ReturnType<typeof newShop>>} Shop */

const purchase = (/** @type {string} */ pass_id, amount = 1) => ({
  pass_id,
  event_category: 'transaction',
  event_type: 'purchase',
  amount,
  currency: 'EUR',
});

/** @param {number} count @param {() => Promise<any>} make */
async function many(count, make) {
  const made = [];
  while (made.length < count) {
    const piece = Math.min(8, count - made.length);
    made.push(...(await Promise.all(Array.from({ length: piece }, make))));
  }
  return made;
}

async function batch(
  /** @type {Shop} */ shop,
  /** @type {{ passId: string, clientId: string }[]} */ members,
) {
  for (const round of [1, 2, 3]) {
    const events = Array.from({ length: BATCH }, (_, at) =>
      purchase(members[at % members.length].passId),
    );
    const [ms, reply] = await timed(() => shop.raw('POST', '/events/batch', { body: { events } }));
    const { created, failed } = reply.body?.data ?? {};
    say(
      `batch ${round} of ${BATCH} events: ${reply.status} in ${ms} ms, ${created} created, ${failed} failed`,
    );
  }
}

async function parallel(/** @type {Shop} */ shop) {
  const { passId, clientId } = await shop.newPass();
  const [ms, replies] = await timed(() =>
    Promise.all(
      Array.from({ length: PARALLEL }, () =>
        shop.raw('POST', '/events', { body: purchase(passId) }),
      ),
    ),
  );
  const well = replies.filter(({ status }) => status === 200).length;
  say(`${PARALLEL} events of one client at once: ${well} answered 200, the last after ${ms} ms`);
  const has = async () => (await shop.activeOf(clientId)) === well;
  const [all] = await timed(() => until(has, 'all points', WAIT_MS));
  say(`  their points were all there ${all} ms later`);
}

async function fairness(/** @type {Shop} */ loud, /** @type {Shop} */ quiet) {
  const members = await many(PARALLEL, loud.newPass);
  const { passId, clientId } = await quiet.newPass();
  const waitFor = async (/** @type {number} */ amount) => {
    await quiet.raw('POST', '/events', { body: purchase(passId) });
    const has = async () => (await quiet.activeOf(clientId)) === amount;
    return (await timed(() => until(has, 'points', WAIT_MS)))[0];
  };
  say(`points of a purchase while nothing else happens: ${await waitFor(1)} ms`);
  const events = members.map((one) => purchase(one.passId));
  await loud.raw('POST', '/events/batch', { body: { events } });
  say(`while ${PARALLEL} events of another workspace come in: ${await waitFor(2)} ms`);
  const last = async () => (await loud.activeOf(members.at(-1).clientId)) === 1;
  const [all] = await timed(() => until(last, 'the last points', WAIT_MS));
  say(`  the last of those had its points ${all} ms later`);
}

async function importing(/** @type {Shop} */ shop, /** @type {number} */ rows) {
  for (const name of ['Ada', 'Grace']) {
    const lines = Array.from({ length: rows }, (_, at) => `row-${at}@example.com,${name},${at}`);
    const form = new FormData();
    const csv = ['email,first_name,last_name', ...lines].join('\n');
    form.append('file', new Blob([csv], { type: 'text/csv' }), 'clients.csv');
    const sent = new Response(form);
    const begun = await shop.raw('POST', ':ws/clients/import?mode=upsert', {
      body: Buffer.from(await sent.arrayBuffer()),
      headers: { 'Content-Type': String(sent.headers.get('content-type')) },
    });
    if (begun.status !== 202) throw new Error(`import: ${begun.status} ${begun.text}`);
    const job = async () =>
      (await shop.call('GET', `:ws/client-import-jobs/${begun.body.data.id}`)).data;
    const [ms] = await timed(() =>
      until(async () => ['completed', 'failed'].includes((await job()).status), 'import', WAIT_MS),
    );
    const { status, created, updated } = await job();
    const rate = Math.round(rows / (ms / 1_000));
    say(
      `import of ${rows} rows: ${status}, ${created} created, ${updated} updated, ${rate} rows/s`,
    );
  }
}

async function main() {
  const url = asked.url ?? (await startPlatform());
  const http = createHttp([url], IN_FLIGHT);
  const client = createClient(http, '');
  const [loud, quiet] = await Promise.all([newShop(client), newShop(client)]);
  await fairness(loud, quiet);
  await parallel(loud);
  const members = await many(BATCH, loud.newPass);
  await batch(loud, members);
  await importing(quiet, Number(asked.rows));
  http.close();
}

await playToTheEnd(() => platform, main);
