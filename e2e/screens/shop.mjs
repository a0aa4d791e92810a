// A small coffee chain with a year behind it, made through the public API: what the screens show is what an owner would see.
import { randomUUID } from 'node:crypto';
import { isLaurelError, Laurel } from '@laurel/client';
import { connect } from '../../tools/demo/platform.mjs';
import { createRandom } from '../../tools/lib/random.mjs';
import { makeTill } from './till.mjs';

const PASSWORD = 'correct horse battery staple';
const DAY_MS = 86_400_000;
const PEOPLE = 36;
const VISITS = 240;
const PER_BATCH = 20;
const FIRST = 'Ada Bo Chloé Dušan Élodie Fatma Günther Ingrid João Karla Łukasz María'.split(' ');
const LAST = ['Weber', 'García', 'O’Brien', 'van der Berg', 'Škoda', 'Kowalski'];

/**
 * @typedef {{ email: string, password: string, workspace: string, slug: string, form: string, barcode: string, staff: { id: string, email: string }, ids: Record<string, string> }} Shop
 */

/** As its owner. @param {string} baseUrl @param {{ email: string, password: string }} owner */
export async function signedIn(baseUrl, { email, password }) {
  const { access_token } = await new Laurel({ baseUrl }).auth.login({ email, password });
  return connect({ baseUrl, token: access_token });
}

/** @param {string} baseUrl @returns {Promise<Shop>} */
export async function openShop(baseUrl) {
  const owner = { email: `olga-${randomUUID().slice(0, 8)}@example.com`, password: PASSWORD };
  await new Laurel({ baseUrl }).auth.register({ ...owner, first_name: 'Olga' });
  const platform = await signedIn(baseUrl, owner);
  const workspace = await platform.laurel.workspaces.create({
    name: 'Bean & Leaf',
    default_currency: 'EUR',
  });
  const laurel = platform.in(workspace.id);
  const programme = await makeProgramme(laurel);
  const card = await makeCard(laurel);
  const people = await letPeopleIn(laurel, card);
  await letThemBuy(laurel, people);
  const offers = await makeOffers({ laurel, people, programme });
  const staff = await makeTill(laurel);
  const [first] = people;
  return {
    ...owner,
    workspace: workspace.id,
    slug: workspace.slug,
    form: card.form.public_url ?? '',
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

/** Beans, three tiers, rules and rewards. @param {Laurel} laurel */
async function makeProgramme(laurel) {
  const units = { unit_singular_name: 'bean', unit_plural_name: 'beans' };
  const beans = { code: 'beans', name: 'Beans', is_default: true, expiry_days: 365, ...units };
  const currency = await laurel.walletTypes.create(beans);
  await laurel.walletTypes.create({ code: 'stamps', name: 'Stamps' });
  await laurel.dataModel.create({
    field_name: 'home_shop',
    field_label: 'Home shop',
    field_type: 'select',
    options: ['Harbour', 'Old Town', 'Station'],
  });
  await laurel.tiers.createSet({
    name: 'Regulars',
    conditions: [{ type: 'total_earned', wallet_type_code: 'beans' }],
  });
  for (const [sort_order, [name, from, color]] of /** @type {[string, number, string][]} */ ([
    ['Cup', 0, '#A67B5B'],
    ['Pot', 60, '#8D9093'],
    ['Roaster', 150, '#C9A227'],
  ]).entries())
    await laurel.tiers.create({
      name,
      sort_order,
      color,
      condition_values: from === 0 ? {} : { total_earned: from },
    });
  const earn = /** @type {const} */ ({ type: 'earn_points', wallet_type_code: 'beans' });
  const rule = await laurel.automations.create({
    key: 'earn',
    name: 'A bean per euro',
    trigger_type: 'transaction',
    active: true,
    effects: [{ ...earn, amount_type: 'expression', amount_expression: 'event.amount * 1.0' }],
  });
  await laurel.automations.create({
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
      await laurel.rewards.create({
        name,
        cost_in_points,
        wallet_type_id: currency.id,
        purchasable: true,
        ...more,
      }),
    );
  // Some of it is as files say, so that the console shows where to change it.
  await laurel.programmes.set('harbour', {
    managed: [
      { kind: 'rewards', key: 'free-coffee', fields: {} },
      { kind: 'rules', key: 'earn', fields: {} },
      { kind: 'wallet_types', key: 'beans', fields: {} },
      { kind: 'data_model', key: 'home_shop', fields: {} },
      { kind: 'settings', key: 'settings', fields: {} },
    ],
  });
  return { rule: rule.id, reward: rewards[0]?.id ?? '', currency: currency.id };
}

/** A card, a form to get it by, and the portal. @param {Laurel} laurel */
async function makeCard(laurel) {
  const project = await laurel.projects.create({ name: 'Bean & Leaf' });
  const template = await laurel.passTemplates.create({
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
  const form = await laurel.distributions.create({
    project_id: project.id,
    pass_template_id: template.id,
    name: 'At the counter',
    delivery_mode: 'page',
  });
  await laurel.portalConfig.set({ is_enabled: true, primary_color: '#7A4B2A' });
  return { project: project.id, template: template.id, form };
}

/** @param {Laurel} laurel @param {{ project: string, template: string }} card */
async function letPeopleIn(laurel, card) {
  const people = [];
  for (let at = 0; at < PEOPLE; at += 1) {
    const first_name = String(FIRST[at % FIRST.length]);
    const last_name = String(LAST[at % LAST.length]);
    const client = await laurel.clients.create({
      first_name,
      last_name,
      email: `person-${at}@example.com`,
      marketing_consent: at % 3 > 0,
      loyalty_program_enabled: true,
      custom_fields: { home_shop: ['Harbour', 'Old Town', 'Station'][at % 3] },
    });
    const pass = await laurel.passes.create({
      project_id: card.project,
      pass_template_id: card.template,
      client_id: client.id,
    });
    people.push({ id: client.id, pass: pass.id, barcode: pass.barcode_value, name: first_name });
  }
  return people;
}

/** Purchases of the year until now, most of them lately. @param {Laurel} laurel @param {{ pass: string }[]} people */
async function letThemBuy(laurel, people) {
  const random = createRandom(7, 'screens');
  const now = Date.now();
  const events = Array.from({ length: VISITS }, (_, at) => ({
    pass_id: people[random.int(0, people.length - 1)]?.pass ?? '',
    event_category: 'transaction',
    event_type: 'purchase',
    amount: random.int(250, 1_450) / 100,
    currency: 'EUR',
    event_timestamp: new Date(
      now - Math.round(random.next() ** 2 * 360 * DAY_MS) - at * 1_000,
    ).toISOString(),
  }));
  for (let from = 0; from < events.length; from += PER_BATCH)
    await sendBatch(laurel, events.slice(from, from + PER_BATCH));
}

/**
 * What an owner does with it: segments, a campaign that ran, one that is planned, a webhook, redemptions.
 *
 * @param {{ laurel: Laurel, people: { id: string }[], programme: { reward: string } }} shop
 */
async function makeOffers({ laurel, people, programme }) {
  await untilEarned(laurel, people[0]?.id ?? '');
  const codes = [];
  for (const { id } of people.slice(0, 9)) {
    const redeem = { reward_id: programme.reward, client_id: id };
    codes.push(await redeemed(laurel, redeem));
  }
  await laurel.user.createApiToken({ name: 'Reports', scope: 'read' });
  const segment = await laurel.segments.create({
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
  const done = await laurel.campaigns.create({
    name: 'Thank you for the year',
    segment_id: segment.id,
  });
  await laurel.campaigns.createAction(done.id, {
    action_type: 'push_notification',
    action_config: { notification_message: 'Thank you! A roll is waiting for you.' },
  });
  await laurel.campaigns.launch(done.id);
  const draft = await laurel.campaigns.create({
    name: 'Before Christmas',
    segment_id: segment.id,
  });
  await laurel.campaigns.createAction(draft.id, {
    action_type: 'give_reward',
    action_config: { reward_ids: [programme.reward] },
  });
  const { data: webhook } = await laurel.webhooks.create({
    url: 'http://127.0.0.1:9/till',
    event_types: ['*'],
    description: 'Till server',
  });
  const coupon = String(codes.find(Boolean));
  return { segment: segment.id, campaign: done.id, draft: draft.id, webhook: webhook.id, coupon };
}

/**
 * @param {Laurel} laurel
 * @param {{ reward_id: string, client_id: string }} wish
 * @returns {Promise<string | undefined>} the code; undefined where somebody has too few beans
 */
async function redeemed(laurel, wish) {
  try {
    const done = await laurel.rewards.redeem(wish);
    return 'coupon' in done ? done.coupon?.code : undefined;
  } catch (error) {
    if (isLaurelError(error) && error.reason === 'insufficient_points') return undefined;
    throw error;
  }
}

/** Rules give beans a moment after a purchase. @param {Laurel} laurel @param {string} clientId */
async function untilEarned(laurel, clientId) {
  for (let attempt = 0; attempt < 240; attempt += 1) {
    if ((await laurel.points.listEntriesForClient(clientId)).data.length > 2) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('no beans were earned within a minute');
}

/** @param {Laurel} laurel @param {import('@laurel/client').EventsRecordBatchBody['events']} events */
async function sendBatch(laurel, events) {
  const repeat = () => laurel.events.recordBatch({ events });
  // Rules and tiers work on the same people meanwhile.
  const { failed, errors } = await repeat().catch(repeat);
  if (failed > 0) throw new Error(`a purchase was refused: ${errors?.[0]?.error}`);
}
