/** Where an operation is: its path with ids filled in, below the platform's address, which may have a path of its own. */
export function addressOf(
  baseUrl: string,
  path: string,
  { values, query }: { values: Readonly<Record<string, unknown>>; query: unknown },
): string {
  const place = path.replace(/\{(\w+)\}/g, (_, one: string) => segment(one, values[one]));
  const { origin, pathname } = new URL(baseUrl);
  const url = new URL(origin + pathname.replace(/\/$/, '') + place);
  for (const [name, value] of pairsOf(query)) url.searchParams.append(name, value);
  return url.href;
}

/** What a caller gives once for all operations, by the name that it has as an option. */
const OPTION_OF: Readonly<Record<string, string>> = { workspaceId: 'workspace' };

function segment(name: string, value: unknown): string {
  // An address means another place by `.` and `..`, so that another operation would be called.
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
    throw new TypeError(`${OPTION_OF[name] ?? name} is missing`);
  return encodeURIComponent(value);
}

function pairsOf(query: unknown): [string, string][] {
  return Object.entries((query ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((one): [string, string][] => (one === undefined ? [] : [[name, String(one)]])),
  );
}
