import type { Laurel } from '@laurel/client';
import { UsageError } from '../failures';
import type { Wanted } from './files';
import { type Body, KIND_NAMES, KINDS, type KindName, topOf } from './kinds';
import { keysAfterMoves, type Move } from './moved';
import { type Names, toFile } from './references';

/** One thing that is there, as a file would say it. */
export interface Found {
  kind: KindName;
  key: string;
  id: string;
  body: Body;
}

interface Row {
  kind: KindName;
  key: string;
  id: string;
  row: Body;
}

/** Everything of a workspace that files can say. What the files name bears their keys, the rest keys made of its names. */
export async function readWorkspace(
  laurel: Laurel,
  wanted: readonly Wanted[],
  moves: readonly Move[] = [],
): Promise<Found[]> {
  const lists = await Promise.all(KIND_NAMES.map((kind) => KINDS[kind].list(laurel)));
  const found = KIND_NAMES.flatMap((kind, index) => keyed(kind, lists[index]!, { wanted, moves }));
  const names = namesOf(found);
  return found.map(({ row, ...one }) => ({ ...one, body: asFile(one.kind, row, names) }));
}

/** What bears a key is known by it, whatever it is called; the rest by what tells one from another. */
function keyed(
  kind: KindName,
  rows: readonly Body[],
  { wanted, moves }: { wanted: readonly Wanted[]; moves: readonly Move[] },
): Row[] {
  const { identity, isCode } = KINDS[kind];
  const borne = new Set(rows.flatMap(({ key }) => (typeof key === 'string' ? [key] : [])));
  const keys = keysAfterMoves(moves, kind, borne);
  const known = new Set(keys.values());
  const own = wanted.filter((one) => one.kind === kind && !known.has(one.key));
  // Of several the first: what comes later is a thing of its own.
  const bySaid = new Map([...own].reverse().map((one) => [identityOf(one), one]));
  const free = freeKeys(new Set([...known, ...own.map(({ key }) => key)]));
  const seen = new Set<string>();
  return rows.map((row) => {
    if (typeof row.key === 'string')
      return { kind, key: keys.get(row.key)!, id: String(row.id), row };
    const said = identity === null ? kind : String(row[identity]);
    const matching = bySaid.get(said);
    if (matching && seen.has(said))
      throw new UsageError(
        `${matching.file}: several ${kind} are called ${said}; give all but one another name`,
      );
    seen.add(said);
    const made = identity === null ? topOf(kind) : isCode ? said : undefined;
    const key = matching?.key ?? made ?? free(keyFrom(said));
    return { kind, key, id: typeof row.id === 'string' ? row.id : kind, row };
  });
}

/** What a wanted thing is recognized by. */
function identityOf({ kind, key, body }: Wanted): string {
  const { identity, isCode } = KINDS[kind];
  if (identity === null) return kind;
  return isCode ? key : String(body[identity]);
}

/** `Free coffee` -> `free-coffee`; codes stay what they are. */
export function keyFrom(said: string): string {
  const plain = said
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/^https?:\/\//, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return plain || 'unnamed';
}

/** Gives keys that nothing bears yet, each once: `coffee`, `coffee-2` ... */
function freeKeys(borne: ReadonlySet<string>): (key: string) => string {
  const taken = new Set(borne);
  const next = new Map<string, number>();
  return (key) => {
    let number = next.get(key) ?? 1;
    const numbered = () => (number === 1 ? key : `${key}-${number}`);
    while (taken.has(numbered())) number += 1;
    next.set(key, number);
    taken.add(numbered());
    return numbered();
  };
}

type Named = Pick<Found, 'kind' | 'key' | 'id'>;

/** To be made once: it takes up everything that is there. */
export function namesOf(found: readonly Named[]): Names & { add(made: Named): void } {
  const keys = new Map(found.map(({ kind, key, id }) => [`${kind}/${id}`, key]));
  const ids = new Map(found.map(({ kind, key, id }) => [`${kind}/${key}`, id]));
  return {
    keyOf: (kind, id) => keys.get(`${kind}/${id}`),
    idOf: (kind, key) => ids.get(`${kind}/${key}`),
    add({ kind, key, id }) {
      keys.set(`${kind}/${id}`, key);
      ids.set(`${kind}/${key}`, id);
    },
  };
}

/** A row as a file would say it. */
export function asFile(kind: KindName, row: Body, names: Names): Body {
  const said = toFile(kind === 'segments' ? withoutFilterIds(row) : row, names) as Body;
  const { fields, isKeyed } = KINDS[kind];
  const told = Object.entries(said).filter(([name]) => fields.includes(name));
  return { ...Object.fromEntries(told), ...(isKeyed ? { key: row.key ?? null } : {}) };
}

/** The platform gives each filter an id of its own. */
const withoutFilterIds = (row: Body): Body => ({
  ...row,
  filters: (row.filters as Body[]).map(({ id: _id, ...filter }) => filter),
});

/** What a pulled file says: all but what is empty or as usual; its key is what it stands under. */
export function worthSaying({
  kind,
  body: { key: _key, ...body },
}: Pick<Found, 'kind' | 'body'>): Body {
  const { usual = {}, needed = [] } = KINDS[kind];
  const isWorth = ([name, value]: [string, unknown]) =>
    needed.includes(name) || (!isEmpty(value) && value !== usual[name]);
  return Object.fromEntries(Object.entries(body).filter(isWorth));
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'object' && Object.keys(value).length === 0);
