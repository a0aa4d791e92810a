import { invalidField } from '@laurel/errors';

/** The zone of a workspace that has not set one (part 4, section 6). */
export const DEFAULT_TIMEZONE = 'UTC';

/**
 * The name as IANA writes it, an older or a newer one as it was given; refuses what names no zone, offsets such as +02:00
 * included.
 */
export function requireTimezone(name: string): string {
  const zone = /^[a-z]/i.test(name) ? zoneNamed(name) : undefined;
  if (zone === undefined)
    throw invalidField('timezone', 'timezone must be an IANA time zone such as Europe/Berlin');
  return zone.toLowerCase() === name.toLowerCase() ? zone : inUsualCase(name);
}

/** The runtime gives an alias away for the name that it knows the zone by: of that, how the letters are written is lost. */
function inUsualCase(alias: string): string {
  const isUsual = alias !== alias.toLowerCase() && alias !== alias.toUpperCase();
  if (isUsual || !alias.includes('/')) return isUsual ? alias : alias.toUpperCase();
  return alias.toLowerCase().replace(/(^|[/_-])([a-z])/g, (found) => found.toUpperCase());
}

function zoneNamed(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
