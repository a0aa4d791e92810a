// Two thousand customers as a till exports them: with accents, duplicates, shouting, and cells that make no sense.

/** @typedef {import('../lib/random.mjs').Random} Random */
/** @typedef {{ card: string, first: string, last: string, email: string, phone: string, birth: string, consent: string, shop: string, since: number }} Person */

const FIRST =
  'Ada Ben Chloé Dušan Élodie Fatma Günther Hiroshi Ingrid João Karla Łukasz María Nadia Ørjan Priya Quentin Renée Søren Tomás Uğur Věra Wanjiku Xenia Yūto Zoë Anne-Marie 李娜'.split(
    ' ',
  );
const LAST =
  "Müller|García|O'Brien|Nguyễn|Smith, Jr.|Đorđević|Škoda|van der Berg|Åström|Rossi|Kowalski|Haddad|de Souza|Yılmaz|Tanaka|Mac Gearailt|Weiß".split(
    '|',
  );
const SHOPS = ['Harbour', 'Old Town', 'Station'];
const ODD_PHONE = ['000', '+49 (0)30-1234 x5', '0176/555 01 23', ''];
const DUPLICATES = 0.03;
const WITHOUT_MAIL = 0.05;
const BROKEN = 0.01;
/** Rows that no platform should take: an address without a domain, a day that never was, a note in place of a number. */
const BREACHES = [
  { email: 'somebody@' },
  { email: '', birth: '1990-02-31' },
  { email: '', phone: 'n/a' },
  { email: '', phone: 'siehe Kartei' },
];

export { SHOPS };

/** @param {string} name */
const ascii = (name) =>
  name
    .normalize('NFD')
    .replace(/[^a-zA-Z]/g, '')
    .toLowerCase() || 'x';

/** @param {Random} random @param {number} number @returns {Person} */
function person(random, number) {
  const [first, last] = [random.pick(FIRST), random.pick(LAST)];
  const plain = `${ascii(first)}.${ascii(last)}${number}@example.com`;
  const mail = random.chance(0.1) ? plain.toUpperCase() : plain;
  const day = `${random.int(1950, 2006)}-${two(random.int(1, 12))}-${two(random.int(1, 28))}`;
  return {
    card: `BL-${String(number).padStart(5, '0')}`,
    first: random.chance(0.05) ? first.toUpperCase() : first,
    last: random.chance(0.03) ? ` ${last} ` : last,
    email: random.chance(WITHOUT_MAIL) ? '' : mail,
    phone: random.chance(0.15)
      ? random.pick(ODD_PHONE)
      : `+4930${random.int(1_000_000, 9_999_999)}`,
    birth: random.chance(0.3) ? '' : day,
    consent: random.pick(['yes', 'no', '1', '0', 'true', '']),
    shop: random.pick(SHOPS),
    since: random.chance(0.6) ? 0 : random.int(0, 10),
  };
}

/** @param {number} number */
const two = (number) => String(number).padStart(2, '0');

/**
 * @param {Random} random
 * @param {number} count
 * @returns {{ members: Person[], rows: Person[] }} `rows` are what the till exports: every member once, some of them again
 *   under another card, and some rows that cannot be read; `since` is the month in which somebody joined
 */
export function makePeople(random, count) {
  const members = Array.from({ length: count }, (_, index) => person(random, index + 1));
  const rows = [...members];
  let card = count;
  for (const member of members) {
    card += 1;
    const again = { ...member, card: `BL-${String(card).padStart(5, '0')}` };
    if (member.email !== '' && random.chance(DUPLICATES)) rows.push(again);
    else if (random.chance(BROKEN)) rows.push({ ...again, ...random.pick(BREACHES) });
  }
  return { members, rows };
}

const COLUMNS = /** @type {const} */ ([
  ['first_name', 'first'],
  ['last_name', 'last'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['birth_date', 'birth'],
  ['marketing_consent', 'consent'],
  ['custom_fields.card', 'card'],
  ['custom_fields.home_shop', 'shop'],
]);

/**
 * As spreadsheets write it: a byte order mark, CRLF, quotes where they are needed and where they are not.
 *
 * @param {Person[]} rows
 */
export function toCsv(rows) {
  const quoted = (/** @type {string} */ cell) =>
    /[",\r\n ]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const head = [...COLUMNS.map(([name]) => name), 'source', 'loyalty_program_enabled'].join(',');
  const lines = rows.map((row) =>
    [...COLUMNS.map(([, key]) => quoted(row[key])), 'till export', 'true'].join(','),
  );
  return `\ufeff${[head, ...lines].join('\r\n')}\r\n`;
}
