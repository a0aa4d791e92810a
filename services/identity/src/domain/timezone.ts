import { invalidField } from '@laurel/errors';

/** The zone of a workspace that has not set one (part 4, section 6). */
const DEFAULT_TIMEZONE = 'UTC';

/**
 * The name as IANA writes it, an older one or a newer one as well; refuses what names no zone, offsets such as +02:00
 * included.
 */
export function requireTimezone(name: string): string {
  const zone = inIanaLetters(name);
  if (zone === undefined)
    throw invalidField('timezone', 'timezone must be an IANA time zone such as Europe/Berlin');
  return zone;
}

const readBefore = new Map<string, string>();

/** The zone of a workspace, by the name in its row: an earlier version kept some in other letters than IANA's. */
export function timezoneOf(kept: string = DEFAULT_TIMEZONE): string {
  const zone = readBefore.get(kept) ?? inIanaLetters(kept) ?? kept;
  readBefore.set(kept, zone);
  return zone;
}

function inIanaLetters(name: string): string | undefined {
  const zone = /^[a-z]/i.test(name) ? zoneNamed(name) : undefined;
  if (zone === undefined) return undefined;
  return zone.toLowerCase() === name.toLowerCase() ? zone : asIanaWrites(name);
}

/** Parts of names that are written otherwise than in words of one capital each. */
const SPELT = new Map(
  [
    'ACT CST6CDT EST5EDT LHI MST7MDT NSW NZ-CHAT PST8PDT UCT US UTC W-SU GB-Eire Knox_IN McMurdo',
    'BajaNorte BajaSur ComodRivadavia Dar_es_Salaam DeNoronha DumontDUrville EasterIsland',
    'Isle_of_Man Port-au-Prince Port_of_Spain',
  ].flatMap((parts) => parts.split(' ').map((part) => [part.toLowerCase(), part])),
);
/** A whole name that is no longer stands for others: CET, NZ, PRC. */
const SHORT_LENGTH_MAX = 3;

/** The runtime gives an alias away for the name that it knows the zone by: of that, how the letters are written is lost. */
const asIanaWrites = (alias: string): string =>
  alias.length <= SHORT_LENGTH_MAX
    ? alias.toUpperCase()
    : alias.toLowerCase().split('/').map(partOfName).join('/');

function partOfName(part: string): string {
  if (part.startsWith('gmt')) return part.toUpperCase();
  return SPELT.get(part) ?? part.replace(/(^|[_-])([a-z])/g, (found) => found.toUpperCase());
}

function zoneNamed(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
