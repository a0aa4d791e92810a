// What differs each time the story is played, and what stands for it: playing it twice gives the same examples.
import { createHash } from 'node:crypto';

/** The day on which the story begins, whenever that is. */
const FIRST_DAY = '2026-03-02';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** What is further away than this is a day of somebody's life, and stays as it is. */
const NEAR_MS = 800 * DAY_MS;
/** What lies so near to a call happened in the story, not before or after it. */
const AT_ONCE_MS = 2 * MINUTE_MS;
/** Times before and after the story are so many minutes away from it. */
const STEP_MS = 5 * MINUTE_MS;
const CALL_OF_EARLIER = 30;
const LIST_MAX = 2;
const TEXT_MAX = 400;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** Texts that were drawn by lot: long, of letters of both kinds and digits. */
const DRAWN = /(?<![\w.@])(?!whsec_)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{20,}(?![\w@])/g;
const BASE64 = /^[A-Za-z0-9+/]{40,}={0,2}$/;
const PEM = /-----BEGIN ([A-Z ]+)-----[\s\S]*?-----END \1-----[\r\n]*/g;
const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;
/** Addresses that callers were given. */
const ADDRESS = /\b10\.\d+\.\d+\.\d+\b/g;
const HEX = /\b(?=\d*[a-f])[0-9a-f]{16,64}\b/g;
const WEBHOOK_SECRET = /whsec_[A-Za-z0-9+/=_-]+/g;
/** Names of members that hold short codes drawn by lot. */
const CODE = /(^|_)(code|coupon|barcode_value|serial_number|pairing_code)$/;
const SPENT_MS = /_ms$/;
/** What a secret begins with, to know it by. */
const PREFIX = /(^|_)prefix$/;
const EXAMPLE_SECRET = 'example-only-no-secret';

/** @param {string} text @param {number} [length] */
const digest = (text, length = 12) =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/**
 * @param {{ begun: readonly number[], replaced: readonly (readonly [string, string])[] }} options `begun` is when each chapter began;
 *   `replaced` are texts of this run, and what stands for each
 */
export function createNeutral({ begun, replaced }) {
  const [began = 0] = begun;
  const shiftDays = Math.round(
    (Date.parse(FIRST_DAY) - Math.floor(began / DAY_MS) * DAY_MS) / DAY_MS,
  );
  /** @type {Map<string, string>} */
  const known = new Map();

  /** The same each time for what came first at this place. @param {string} value @param {() => string} make */
  function stable(value, make) {
    const before = known.get(value);
    if (before !== undefined) return before;
    const made = make();
    known.set(value, made);
    return made;
  }

  /** @param {string} value @param {import('./teller.mjs').Example['at']} at */
  function timeOf(value, at) {
    const time = Date.parse(value);
    if (Math.abs(time - began) > NEAR_MS) return value;
    return stable(value, () => {
      const isWhole = /T(\d\d:00:00|23:59:59)/.test(value) || /:[0-5]0:00(\.000)?Z/.test(value);
      if (isWhole) return new Date(time + shiftDays * DAY_MS).toISOString();
      const since = time - at.time;
      const isOurs = time >= began && since < AT_ONCE_MS;
      // What an earlier chapter did is read later; when exactly it happened in it differs.
      const chapter = isOurs ? begun.filter((each) => each <= time).length : at.chapter;
      const call = chapter === at.chapter ? at.call : CALL_OF_EARLIER;
      const moment =
        Date.parse(`${FIRST_DAY}T08:00:00Z`) + (chapter - 1) * DAY_MS + call * MINUTE_MS;
      const away = isOurs ? 0 : Math.round(since / STEP_MS) * STEP_MS;
      return new Date(moment + away).toISOString();
    });
  }

  /** @param {string} value */
  function dateOf(value) {
    const time = Date.parse(value);
    if (Number.isNaN(time) || Math.abs(time - began) > NEAR_MS) return value;
    return new Date(time + shiftDays * DAY_MS).toISOString().slice(0, 10);
  }

  /** @param {string} text @param {string} place @param {import('./teller.mjs').Example['at']} at */
  function textOf(text, place, at) {
    let neutral = text;
    for (const [what, by] of replaced) neutral = neutral.replaceAll(what, by);
    if (DATE.test(neutral)) return dateOf(neutral);
    if (BASE64.test(neutral) && !/^[0-9a-f]+$/.test(neutral)) return EXAMPLE_SECRET;
    neutral = neutral
      .replace(UUID, (id) => stable(id, () => `0198f3a0-0000-7000-8000-${digest(place)}`))
      .replace(TIME, (time) => timeOf(time, at))
      .replace(PEM, '-----BEGIN $1-----\n…\n-----END $1-----\n')
      .replace(WEBHOOK_SECRET, `whsec_${btoa(EXAMPLE_SECRET)}`)
      .replace(ADDRESS, '203.0.113.7')
      .replace(JWT, EXAMPLE_SECRET)
      .replace(DRAWN, EXAMPLE_SECRET)
      .replace(HEX, (hash) => stable(hash, () => digest(place, hash.length)));
    for (const [drawn, by] of codes) neutral = neutral.replaceAll(drawn, by);
    return neutral.length > TEXT_MAX ? `${neutral.slice(0, TEXT_MAX)} …` : neutral;
  }

  /** Codes drawn by lot, which other texts may hold, too. @type {Map<string, string>} */
  const codes = new Map();

  /** @param {string} value @param {string} place */
  function noteCode(value, place) {
    const tail = /(?:^|-)([A-Z0-9]{6,})$/.exec(value)?.[1];
    if (!tail || codes.has(value)) return;
    const drawn = digest(place, tail.length).toUpperCase();
    codes.set(value, value.slice(0, -tail.length) + (/^\d+$/.test(tail) ? digitsOf(drawn) : drawn));
  }

  /** @param {unknown} value @param {string} place @param {import('./teller.mjs').Example['at']} at @returns {unknown} */
  function neutralOf(value, place, at) {
    if (typeof value === 'string') return textOf(value, place, at);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value))
      return value.slice(0, LIST_MAX).map((one, index) => neutralOf(one, `${place}.${index}`, at));
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        const inner = `${place}.${name}`;
        if (PREFIX.test(name) && typeof one === 'string') return [name, 'example0'];
        if (typeof one === 'number' && SPENT_MS.test(name)) return [name, 12];
        if (typeof one === 'string' && CODE.test(name)) noteCode(one, inner);
        return [name, neutralOf(one, inner, at)];
      }),
    );
  }

  /** @param {import('./teller.mjs').Example} kept */
  return ({ id, body, answer, at }) => ({
    ...(body === undefined ? {} : { body: neutralOf(body, `${id} body`, at) }),
    ...(answer === undefined ? {} : { answer: neutralOf(answer, `${id} answer`, at) }),
  });
}

/** @param {string} hex */
const digitsOf = (hex) => hex.replace(/[A-F]/g, (letter) => String(letter.charCodeAt(0) - 65));
