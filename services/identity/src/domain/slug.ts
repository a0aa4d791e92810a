const LENGTH_MAX = 63;
const LENGTH_MIN = 3;

/** A slug made from a workspace's name: what is left of it in `^[a-z0-9-]{3,63}$`. */
export function slugFrom(name: string): string {
  const bare = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ł/gi, 'l')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LENGTH_MAX)
    .replace(/^-+|-+$/g, '');
  if (bare.length >= LENGTH_MIN) return bare;
  return bare === '' ? 'workspace' : `workspace-${bare}`;
}

/** The same slug, made to differ from one that is taken. */
export function slugWithSuffix(slug: string, suffix: string): string {
  return `${slug.slice(0, LENGTH_MAX - suffix.length - 1)}-${suffix}`;
}
