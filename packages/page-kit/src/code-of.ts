/** What the API takes of both, a currency's code and a field's name: small letters, digits and underscores, a letter first. */
const LENGTH_MAX = 50;

/**
 * A code for a name that a person gave.
 *
 * @param otherwise for a name that has none of these letters
 * @param taken what others have: a name in letters of another script says no more than the one before it
 */
export function codeOf(
  name: string,
  { otherwise, taken = [] }: { otherwise: string; taken?: readonly string[] },
): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'l')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const whole = /^[a-z]/.test(plain) ? plain : [otherwise, plain].filter(Boolean).join('_');
  for (let nth = 1; ; nth += 1) {
    const end = nth === 1 ? '' : `_${nth}`;
    const code = `${whole.slice(0, LENGTH_MAX - end.length)}${end}`;
    if (!taken.includes(code)) return code;
  }
}
