import { isLaurelError, type Laurel, type Client as Member } from '@laurel/client';
import { Failed, UsageError } from './failures';
import { isId } from './ids';

const SHOWN_MAX = 5;
/** As many as a search answers at most: the one that is meant may be older than others that have its address in theirs. */
const FOUND_MAX = 1_000;
/** How a member may be named, in the help of commands. */
export const MEMBER_NAMED =
  'id, address, phone number, or a part of the name that fits nobody else';

export const nameOf = ({ first_name, last_name, email, phone, id }: Member): string =>
  [first_name, last_name].filter(Boolean).join(' ') || email || phone || id;

/**
 * The one member that somebody means by an id, an address, a phone number or a part of a name. The API calls them
 * clients; its members are the team.
 */
export async function memberOf(laurel: Laurel, who: string): Promise<Member> {
  if (isId(who)) return laurel.clients.get(who);
  const isWhole = WHOLE.test(who);
  const found = await searched(laurel, who, isWhole ? FOUND_MAX : undefined);
  const exact = found.filter((member) => isExactly(member, who));
  const [member, ...more] = isWhole || exact.length > 0 ? exact : found;
  if (!member) throw new Failed(`no member is called ${who}`);
  if (more.length === 0) return member;
  const several = [member, ...more].slice(0, SHOWN_MAX);
  const names = several.map(
    (one) => `  ${one.id}  ${nameOf(one)}  ${one.email ?? one.phone ?? ''}`,
  );
  throw new UsageError(`several members fit ${who}; name one by its id:\n${names.join('\n')}`);
}

export async function searched(laurel: Laurel, q: string, limit?: number): Promise<Member[]> {
  try {
    return await laurel.clients.search({ q, ...(limit === undefined ? {} : { limit }) });
  } catch (error) {
    if (isLaurelError(error) && error.status === 400) throw new UsageError(error.message);
    throw error;
  }
}

/** An address or an international number belongs to one person alone, though that of another may have it within. */
const WHOLE = /^(\S+@\S+\.\S+|\+[\d\s()./-]+)$/;

const digitsOf = (phone: string): string => phone.replace(/\D/g, '');

function isExactly({ email, phone }: Member, who: string): boolean {
  if (who.includes('@')) return email?.toLowerCase() === who.toLowerCase();
  const digits = digitsOf(who);
  return digits.length > 4 && phone !== null && digitsOf(phone) === digits;
}
