// A small coffee chain with a year behind it, made through the public API: what the screens show is what an owner would see.
import { randomUUID } from 'node:crypto';
import { createRandom } from '../../chaos/random.mjs';
import { createApi } from '../../demo/api.mjs';

const PASSWORD = 'correct horse battery staple';
const DAY_MS = 86_400_000;
const PEOPLE = 36;
const VISITS = 240;
const PER_BATCH = 20;
const FIRST = 'Ada Bo Chloé Dušan Élodie Fatma Günther Ingrid João Karla Łukasz María'.split(' ');
const LAST = ['Weber', 'García', 'O’Brien', 'van der Berg', 'Škoda', 'Kowalski'];

/**
 * @typedef {ReturnType<typeof createApi>} Api
 * @typedef {{ id: string, name: string }} Named
 * @typedef {{ email: string, password: string, ws: string, slug: string, form: string, barcode: string, staff: { id: string, email: string }, ids: Record<string, string> }} Shop
 */

/** As its owner. @param {string} baseUrl @param {{ email: string, password: string }} owner */
export async function apiOf(baseUrl, { email, password }) {
  const { data } = await send(`${baseUrl}/auth/login`, { email, password });
  return createApi({ baseUrl, token: data.access_token });
}

/** @param {string} baseUrl @returns {Promise<Shop>} */
export async function openShop(baseUrl) {
  const owner = { email: `olga-${randomUUID().slice(0, 8)}@example.com`, password: PASSWORD };
  await send(`${baseUrl}/auth/register`, { ...owner, first_name: 'Olga' });
  const api = await apiOf(baseUrl, owner);
  const { data: workspace } = await api.post('/workspaces', {
    name: 'Bean & Leaf',
    default_currency: 'EUR',
  });
  const ws = `/workspace/${workspace.id}`;
  const programme = await makeProgramme(api, ws);
  const card = await makeCard(api, ws);
  const people = await letPeopleIn({ api, ws, card });
  await letThemBuy(api, people);
  const offers = await makeOffers({ api, ws, people, programme });
  const staff = await makeTill(api, ws);
  const [first] = people;
  return {
    ...owner,
    ws,
    slug: workspace.slug,
    form: card.form.public_url,
    staff,
    barcode: String(first?.barcode),
    ids: {
      customer: String(first?.id),
      reward: programme.reward,
      rule: programme.rule,
      card: card.template,
      form: card.form.id,
      ...offers,
    },
  };
}

/** @param {string} url @param {object} body @returns {Promise<any>} */
async function send(url, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** Beans, three tiers, rules and rewards. @param {Api} api @param {string} ws */
async function makeProgramme(api, ws) {
  const units = { unit_singular_name: 'bean', unit_plural_name: 'beans' };
  const beans = { code: 'beans', name: 'Beans', is_default: true, expiry_days: 365, ...units };
  const { data: currency } = await api.post(`${ws}/wallet-types`, beans);
  await api.post(`${ws}/wallet-types`, { code: 'stamps', name: 'Stamps' });
  const field = { field_name: 'home_shop', field_label: 'Home shop', field_type: 'select' };
  await api.post(`${ws}/data-model`, { ...field, options: ['Harbour', 'Old Town', 'Station'] });
  const conditions = [{ type: 'total_earned', wallet_type_code: 'beans' }];
  await api.post(`${ws}/tiers/set`, { name: 'Regulars', conditions });
  for (const [sort_order, [name, from, color]] of /** @type {[string, number, string][]} */ ([
    ['Cup', 0, '#A67B5B'],
    ['Pot', 60, '#8D9093'],
    ['Roaster', 150, '#C9A227'],
  ]).entries())
    await api.post(`${ws}/tiers`, {
      name,
      sort_order,
      color,
      condition_values: from === 0 ? {} : { total_earned: from },
    });
  const earn = { type: 'earn_points', wallet_type_code: 'beans' };
  const { data: rule } = await api.post(`${ws}/automations`, {
    key: 'earn',
    name: 'A bean per euro',
    trigger_type: 'transaction',
    active: true,
    effects: [{ ...earn, amount_type: 'expression', amount_expression: 'event.amount * 1.0' }],
  });
  await api.post(`${ws}/automations`, {
    name: 'Ten beans for a birthday',
    trigger_type: 'time_based',
    trigger_config: { schedule: { cron: '0 9 * * *', timezone: 'Europe/Berlin' } },
    conditions: [{ type: 'expression', expression: 'isBirthday(client.birth_date)' }],
    active: true,
    effects: [{ ...earn, amount_type: 'fixed', amount: 10 }],
  });
  const rewards = [];
  for (const [name, cost_in_points, more] of /** @type {[string, number, object][]} */ ([
    [
      'A free coffee',
      30,
      { key: 'free-coffee', code_pattern: 'COFFEE-{RAND:6}', monetary_value: 3.2 },
    ],
    ['Cinnamon roll', 45, { description: 'Fresh from the oven, from eight to eleven.' }],
    ['The mug', 120, { usage_limit: 50, monetary_value: 14 }],
    ['Barista class', 400, { active: false }],
  ]))
    rewards.push(
      (
        await api.post(`${ws}/rewards`, {
          name,
          cost_in_points,
          wallet_type_id: currency.id,
          purchasable: true,
          ...more,
        })
      ).data,
    );
  // Some of it is as files say, so that the console shows where to change it.
  await api.put(`${ws}/programmes/harbour`, {
    managed: [
      { kind: 'rewards', key: 'free-coffee', fields: {} },
      { kind: 'rules', key: 'earn', fields: {} },
      { kind: 'wallet_types', key: 'beans', fields: {} },
      { kind: 'data_model', key: 'home_shop', fields: {} },
      { kind: 'settings', key: 'settings', fields: {} },
    ],
  });
  return { rule: rule.id, reward: rewards[0].id, currency: currency.id };
}

/** A card, a form to get it by, and the portal. @param {Api} api @param {string} ws */
async function makeCard(api, ws) {
  const { data: project } = await api.post(`${ws}/projects`, { name: 'Bean & Leaf' });
  const { data: template } = await api.post(`${ws}/pass-templates`, {
    name: 'Bean card',
    project_id: project.id,
    pass_type: 'LOYALTY',
    background_color: '#3B2A20',
    label_color: '#D9C3A5',
    value_color: '#FFFFFF',
    logo_text: 'Bean & Leaf',
    barcode_type: 'qr',
    top_field_label: 'Beans',
    top_field_value: '${wallet:beans.points}',
    front_fields: [{ label: 'Opening hours', value: '7 to 19' }],
  });
  const { data: form } = await api.post(`${ws}/distributions`, {
    project_id: project.id,
    pass_template_id: template.id,
    name: 'At the counter',
    delivery_mode: 'page',
  });
  await api.put(`${ws}/portal-config`, { is_enabled: true, primary_color: '#7A4B2A' });
  return { project: project.id, template: template.id, form };
}

/** @param {{ api: Api, ws: string, card: { project: string, template: string } }} shop */
async function letPeopleIn({ api, ws, card }) {
  const people = [];
  for (let at = 0; at < PEOPLE; at += 1) {
    const first_name = String(FIRST[at % FIRST.length]);
    const last_name = String(LAST[at % LAST.length]);
    const { data } = await api.post(`${ws}/clients`, {
      first_name,
      last_name,
      email: `person-${at}@example.com`,
      marketing_consent: at % 3 > 0,
      loyalty_program_enabled: true,
      custom_fields: { home_shop: ['Harbour', 'Old Town', 'Station'][at % 3] },
    });
    const { data: pass } = await api.post(`${ws}/passes`, {
      project_id: card.project,
      pass_template_id: card.template,
      client_id: data.id,
    });
    people.push({ id: data.id, pass: pass.id, barcode: pass.barcode_value, name: first_name });
  }
  return people;
}

/** Purchases of the year until now, most of them lately. @param {Api} api @param {{ pass: string }[]} people */
async function letThemBuy(api, people) {
  const random = createRandom(7, 'screens');
  const now = Date.now();
  const events = Array.from({ length: VISITS }, (_, at) => ({
    pass_id: people[random.int(0, people.length - 1)]?.pass,
    event_category: 'transaction',
    event_type: 'purchase',
    amount: random.int(250, 1_450) / 100,
    currency: 'EUR',
    event_timestamp: new Date(
      now - Math.round(random.next() ** 2 * 360 * DAY_MS) - at * 1_000,
    ).toISOString(),
  }));
  for (let from = 0; from < events.length; from += PER_BATCH)
    await sendBatch(api, events.slice(from, from + PER_BATCH));
}

/**
 * What an owner does with it: segments, a campaign that ran, one that is planned, a webhook, redemptions.
 *
 * @param {{ api: Api, ws: string, people: { id: string }[], programme: { reward: string } }} shop
 */
async function makeOffers({ api, ws, people, programme }) {
  await untilEarned(api, `${ws}/clients/${people[0]?.id}/points/ledger`);
  const codes = [];
  for (const { id } of people.slice(0, 9)) {
    const redeem = { reward_id: programme.reward, client_id: id };
    codes.push((await api.tryPost(`${ws}/rewards/redeem`, redeem))?.data.coupon?.code);
  }
  await api.post('/user/api-tokens', { name: 'Reports', scope: 'read' });
  const { data: segment } = await api.post(`${ws}/segments`, {
    name: 'Harbour regulars',
    filters: [
      {
        filter_type: 'custom_field',
        filter_config: {
          custom_field_filters: { home_shop: { operator: '_eq', value: 'Harbour' } },
        },
      },
    ],
  });
  const { data: done } = await api.post(`${ws}/campaigns`, {
    name: 'Thank you for the year',
    segment_id: segment.id,
  });
  await api.post(`/campaigns/${done.id}/actions`, {
    action_type: 'push_notification',
    action_config: { notification_message: 'Thank you! A roll is waiting for you.' },
  });
  await api.post(`/campaigns/${done.id}/launch`, {});
  const { data: draft } = await api.post(`${ws}/campaigns`, {
    name: 'Before Christmas',
    segment_id: segment.id,
  });
  await api.post(`/campaigns/${draft.id}/actions`, {
    action_type: 'give_reward',
    action_config: { reward_ids: [programme.reward] },
  });
  const { data: webhook } = await api.post(`${ws}/webhooks`, {
    url: 'http://127.0.0.1:9/till',
    event_types: ['*'],
    description: 'Till server',
  });
  const coupon = String(codes.find(Boolean));
  return { segment: segment.id, campaign: done.id, draft: draft.id, webhook: webhook.id, coupon };
}

/** Rules give beans a moment after a purchase. @param {Api} api @param {string} path */
async function untilEarned(api, path) {
  for (let attempt = 0; attempt < 240; attempt += 1) {
    if ((await api.get(path)).data.length > 2) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('no beans were earned within a minute');
}

/** A till with two actions, and a person to stand at it. @param {Api} api @param {string} ws */
async function makeTill(api, ws) {
  await api.post(`${ws}/mobile-app-config`, { is_enabled: true });
  const field = { name: 'amount', label: 'Amount', type: 'number', required: true };
  const purchase = { name: 'Purchase', action_type: 'add_transaction', form_fields: [field] };
  const { data: action } = await api.post(`${ws}/mobile-app-config/actions`, purchase);
  const { data: app } = await api.get(`${ws}/mobile-app-config`);
  const others = app.actions.filter((/** @type {Named} */ { id }) => id !== action.id);
  const action_ids = [action.id, ...others.map((/** @type {Named} */ { id }) => id)];
  await api.post(`${ws}/mobile-app-config/actions/reorder`, { action_ids });
  const email = `lisa-${randomUUID().slice(0, 8)}@example.com`;
  const { data: user } = await api.post(`${ws}/mobile-app-users`, { email, first_name: 'Lisa' });
  return { id: user.id, email };
}

/** What a till is paired with, once. @param {Api} api @param {Shop} shop @returns {Promise<string>} six digits */
export async function pairingCode(api, { ws, staff }) {
  const path = `${ws}/mobile-app-users/${staff.id}/send-pairing-code`;
  return (await api.post(path, { delivery_method: 'none' })).code;
}

/** @param {Api} api @param {object[]} events */
async function sendBatch(api, events) {
  const repeat = () => api.post('/events/batch', { events });
  // Rules and tiers work on the same people meanwhile.
  const { data } = await repeat().catch(repeat);
  if (data.failed > 0) throw new Error(`a purchase was refused: ${data.errors[0].error}`);
}
