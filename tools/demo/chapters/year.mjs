// Twelve months over the counter: people buy, bring things back, and drink what they have earned.
import { SHOPS } from '../people.mjs';
import { startBar } from '../progress.mjs';

/** @typedef {import('./index.mjs').Story} Story */
/** @typedef {import('./index.mjs').Member} Member */
/** @typedef {{ member: Member, cents: number, receipt: string, at: string }} Visit */

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
/** People drink more coffee when it is cold. */
const SEASON = [1.2, 1.1, 1, 1, 0.9, 0.8, 0.7, 0.8, 1, 1.1, 1.2, 1.3];
const PER_BATCH = 200;
const AT_ONCE = 3;
/** Points are counted in whole units, as the platform does. */
const UNITS_PER_BEAN = 10_000;
const UNITS_PER_CENT = UNITS_PER_BEAN / 100;
const FREE_COFFEE = 50 * UNITS_PER_BEAN;
const REFUNDED = 0.005;
const CLASS_SHARE = 0.003;
/** Who pays with the app has the beans at once; the tills send what they rang up in batches. */
const BY_APP = 0.02;

/** @type {import('./index.mjs').Chapter} */
export const year = {
  title: 'A year over the counter of three shops',
  async play(story) {
    const totals = { visits: 0, coffees: 0, refunds: 0 };
    for (const [month, name] of MONTHS.entries()) {
      const visits = visitsOf(story, month);
      const thirsty = story.members.filter(({ balance }) => balance >= FREE_COFFEE);
      const returned = visits.filter(() => story.random.chance(REFUNDED));
      const guests = story.members.filter(() => story.random.chance(CLASS_SHARE));
      const bar = startBar(name, visits.length + thirsty.length + returned.length + guests.length);
      const byApp = new Set(visits.filter(() => story.random.chance(BY_APP)));
      const atTill = visits.filter((visit) => !byApp.has(visit));
      await send(story, atTill.map(toEarn), (each) => bar.add(each));
      for (const visit of byApp) await earnAtOnce(story, visit).then(() => bar.add());
      for (const { member, cents } of visits) {
        book(story, member, cents * UNITS_PER_CENT, 'issued');
        member.earned += cents * UNITS_PER_CENT;
      }
      await send(story, thirsty.map(toSpend(name)), (each) => bar.add(each));
      for (const member of thirsty) book(story, member, -FREE_COFFEE, 'spent');
      for (const visit of returned) await bringBack(story, visit).then(() => bar.add());
      for (const { id } of guests) await attendClass(story, id).then(() => bar.add());
      bar.end();
      totals.visits += visits.length;
      totals.coffees += thirsty.length;
      totals.refunds += returned.length;
    }
    story.summary.push(
      ['Purchases', `${totals.visits}, ${totals.refunds} of them brought back`],
      ['Free coffees', String(totals.coffees)],
    );
  },
};

/** @param {Story} story @param {number} month @returns {Visit[]} */
function visitsOf({ members, random, size }, month) {
  const perMonth = (size.visits / MONTHS.length) * /** @type {number} */ (SEASON[month]);
  return members
    .filter(({ person }) => person.since <= month)
    .flatMap((member) => {
      const count = Math.floor(perMonth * 2 * random.next() + random.next());
      return Array.from({ length: count }, (_, index) => ({
        member,
        cents: random.int(250, 1_450),
        receipt: `${MONTHS[month]}-${member.person.card}-${index + 1}`,
        at: `2025-${String(month + 1).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`,
      }));
    });
}

/** A bean for each euro, to the cent; the receipt makes it once only. @param {Visit} visit */
const toEarn = ({ member, cents, receipt, at }) => ({
  op: 'earn',
  client_id: member.id,
  amount: cents / 100,
  source_type: 'transaction',
  source_id: receipt,
  external_id: receipt,
  description: `Purchase at ${member.person.shop}`,
  metadata: { shop: SHOPS.indexOf(member.person.shop), bought_on: at },
});

/** @param {Story} story @param {Visit} visit */
function earnAtOnce({ laurel }, visit) {
  const { op: _op, ...earn } = toEarn(visit);
  return laurel.points.earn(earn);
}

const toSpend =
  (/** @type {string} */ month) =>
  (/** @type {Member} */ { id }) => ({
    op: 'spend',
    client_id: id,
    amount: FREE_COFFEE / UNITS_PER_BEAN,
    description: `A free coffee in ${month}`,
  });

/**
 * Sends operations in batches, a few at a time; every one of them must succeed.
 *
 * @param {Story} story
 * @param {Record<string, unknown>[]} operations
 * @param {(count: number) => void} onDone
 */
async function send({ laurel }, operations, onDone) {
  const batches = [];
  for (let from = 0; from < operations.length; from += PER_BATCH)
    batches.push(operations.slice(from, from + PER_BATCH));
  const sendNext = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const { results } = await laurel.points.batch({ operations: batch });
      const refused = results.find(({ error }) => error);
      if (refused) throw new Error(`an operation was refused: ${refused.error?.message}`);
      onDone(batch.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
}

/** @param {Story} story @param {Member} member @param {number} units @param {'issued' | 'spent' | 'takenBack'} kind */
function book(story, member, units, kind) {
  member.balance += units;
  story.figures[kind] += Math.abs(units);
  story.entries += 1;
}

/** Half of a purchase, or all of it, is returned; its beans go back in proportion. @param {Story} story @param {Visit} visit */
async function bringBack(story, { member, receipt }) {
  const { laurel, random } = story;
  const body = { source_id: receipt, ratio: random.pick([0.5, 1]), external_id: `back-${receipt}` };
  const { entries, refunded_points } = await laurel.points.refund(body);
  if (entries.length > 0)
    book(story, member, -Math.round(refunded_points * UNITS_PER_BEAN), 'takenBack');
}

/** @param {Story} story @param {string} client_id */
const attendClass = ({ laurel }, client_id) =>
  laurel.events.recordCustom({ client_id, event_type: 'barista_class' });
