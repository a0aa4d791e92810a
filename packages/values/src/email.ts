/**
 * What an e-mail address is compared by: lower case (part 3, section 16), however its accents are encoded: the keyboard
 * decides that, and it cannot be seen. Composed last, since lower case takes some letters apart. Empty where the text is.
 */
export const emailKey = (email: string): string => email.trim().toLowerCase().normalize('NFC');

const LENGTH_MAX = 254;
const LOCAL_BYTES_MAX = 64;
const LABEL_MAX = 63;
/** Between dots; letters of every alphabet are ones (RFC 6531). */
const ATOM = /^[\w!#$%&'*+\-/=?^`{|}~\u0080-\u{10ffff}]+$/u;
/** What would end a host, or be read as another one. */
const OF_NO_HOST = /[\0- @:/\\#!$%&'()*+,;=?]/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const LAST_LABEL = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/i;

/** Whether a text is an e-mail address as the API takes it, for what comes by another way than through its door. */
export function isEmail(text: string): boolean {
  const email = text.normalize('NFC');
  const [local = '', domain = '', ...more] = email.split('@');
  const isShort = email.length <= LENGTH_MAX && Buffer.byteLength(local) <= LOCAL_BYTES_MAX;
  if (!isShort || more.length > 0 || OF_NO_HOST.test(domain)) return false;
  const labels = inAscii(domain).split('.');
  return (
    local.split('.').every((part) => ATOM.test(part)) &&
    labels.length > 1 &&
    labels.every((label) => label.length <= LABEL_MAX && LABEL.test(label)) &&
    LAST_LABEL.test(labels.at(-1)!)
  );
}

/** Names in other alphabets have a spelling of their own where mail is sent. */
function inAscii(domain: string): string {
  const address = `http://${domain}`;
  return URL.canParse(address) ? new URL(address).host : domain;
}
