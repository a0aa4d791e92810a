/** A wallet type's code for a name that a person gave: lower-case letters and digits, as the API asks for it. */
export function codeOf(name: string): string {
  const code = name
    .normalize('NFKD')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'l')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50);
  return code || 'points';
}
