// Who the clients of a workspace are: names that repeat as names do, addresses and numbers of their own.
import { integer, randomFrom, skewed } from './random.mjs';

const FIRST_NAMES =
  'Anna Maria Paul Zoë Jan Eva Peter Sofia Thomas Clara Björn Lena Émile Ida José Nora Max Hanna René Julia Søren Alma Oskar Inês Karl Mia Luís Greta Ömer Emma Jörg Ella Łukasz Agnes Noël Frieda Hugo Chloé Ole Ronja Mateo Runa Åke Selma Ivo Tilda Kai Wanda Anton Yara Boris Ylva Casper Xenia Dario Vera Elias Ursula Finn Tamara Gustav Rosa Henrik Petra Igor Olga Joakim Nadia Konrad Magda Leon Liv Milan Katja Nils Jana Otto Irma Pavel Helga Quirin Gerda Rasmus Flora Simon Edith Tobias Dora Urs Carla Viktor Berta Willem Aurelia Yannick Amira Zeno Bianca'.split(
    ' ',
  );
const LAST_NAME_STARTS =
  'Schrö Lind Berg Stein Hoff Wald Mül Kauf Rosen Gold Brun Feld Nowa Kowal Sven Peder Gar Rodrí Silva Costa Dubo Lefè Rous Mar Bel Rich Wag Neu Alt Gross Klein Lang Kurz Frei Engel Vogel Fuchs Wolf Hart Zim'.split(
    ' ',
  );
const LAST_NAME_ENDS =
  'der mann ström feld berg ler sen ski cía guez ois bach hof haus stein wald ner ger mer lund qvist dal gaard vik holm son sson ert ard ini'.split(
    ' ',
  );
const MAIL_HOSTS =
  'mail.example post.example web.example inbox.example uni.example work.example'.split(' ');
const CITIES =
  'Berlin Wien Zürich Hamburg København Malmö Kraków Porto Lyon Gent Brno Graz Basel Köln Aarhus Turku'.split(
    ' ',
  );
const SOURCES = ['pos', 'web', 'app', 'import', 'api'];

/**
 * What people say of themselves when they join, as the body of `POST :ws/clients` has it.
 *
 * @param {string} seed
 * @param {number} number of the client in the workspace
 */
export function personOf(seed, number) {
  const random = randomFrom(seed, 'person', number);
  const first_name = skewed(random, FIRST_NAMES);
  const last_name = skewed(random, LAST_NAME_STARTS) + skewed(random, LAST_NAME_ENDS);
  const mailbox = `${first_name}.${last_name}`.normalize('NFKD').replace(/[^A-Za-z.]/g, '');
  const host = skewed(random, MAIL_HOSTS);
  const year = integer(random, 1940, 2007);
  const month = String(integer(random, 1, 12)).padStart(2, '0');
  const birthday = String(integer(random, 1, 28)).padStart(2, '0');
  return {
    first_name,
    last_name,
    ...(random() < 0.9 ? { email: `${mailbox}${number}@${host}` } : {}),
    ...(random() < 0.8 ? { phone: `+4917${String(10_000_000 + number)}` } : {}),
    ...(random() < 0.6 ? { birth_date: `${year}-${month}-${birthday}` } : {}),
    ...(random() < 0.7 ? { marketing_consent: random() < 0.5 } : {}),
    custom_fields: { city: skewed(random, CITIES), visits_weekly: integer(random, 0, 5) },
    source: skewed(random, SOURCES),
    status: /** @type {'active' | 'inactive'} */ (random() < 0.97 ? 'active' : 'inactive'),
    loyalty_program_enabled: random() < 0.95,
  };
}
