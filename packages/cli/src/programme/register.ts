import { isLaurelError, type Laurel } from '@laurel/client';
import { Failed } from '../failures';
import { digestOf } from './digest';
import { type Body, KINDS, type KindName } from './kinds';
import type { Found } from './live';
import { compare, type Plan, type Step } from './plan';
import type { Removal } from './removal';

/** Who changed something by hand, and when, as far as the audit log tells. */
export interface Hand {
  by: string;
  at: string;
}

/** A thing that is no longer as its files left it. */
export interface Drift {
  kind: KindName;
  key: string;
  /** The fields that differ from what was applied; none where the thing is gone. */
  fields: string[];
  isGone: boolean;
  hand: Hand | null;
}

interface Managed {
  kind: string;
  key: string;
  fields: Record<string, string>;
  applied_at: string;
  /** The key under which the platform has it, where files call it otherwise by now. */
  bore?: string;
}

/** What the platform knows of a programme: what its files own, and how that was when they were applied. */
export interface Register {
  name: string;
  managed: readonly Managed[];
  /** Of the version that was read; null where nothing was applied yet. */
  etag: string | null;
  /** While these files are being applied by this program (`turn.ts`). */
  turn?: string;
  /** Who was applying them when it was read, and until when at the latest. */
  applying?: { by: string; until: string };
}

/** Of many things each answer would be long: only what is said comes back. */
export const ANSWER_BRIEFLY = { Prefer: 'return=minimal' } as const;

export async function readRegister(laurel: Laurel, name: string): Promise<Register> {
  try {
    const { data, response } = await laurel.programmes.get(name).withResponse();
    const { managed, turn } = data;
    const applying = turn ? { by: turn.by.email ?? turn.by.type, until: turn.until } : null;
    return {
      name,
      managed: managed as Managed[],
      etag: response.headers.get('etag'),
      ...(applying ? { applying } : {}),
    };
  } catch (error) {
    if (isLaurelError(error) && error.status === 404) return { name, managed: [], etag: null };
    throw error;
  }
}

/**
 * What a plan would take back although somebody decided it by hand since the files were applied. A field that files and
 * people agree on is no drift, nor is one that files do not name.
 */
export async function driftsOf(
  laurel: Laurel,
  plan: Plan,
  { register, found }: { register: Register; found: readonly Found[] },
): Promise<Drift[]> {
  const applied = new Map(register.managed.map((one) => [`${one.kind}/${one.key}`, one]));
  const live = new Map(found.map((one) => [`${one.kind}/${one.key}`, one]));
  const drifts = plan.steps.flatMap((step) => {
    const { kind, key } = step.wanted;
    const id = `${kind}/${key}`;
    const before = applied.get(id);
    if (!before || step.action === 'keep') return [];
    const body = live.get(id)?.body;
    const isGone = body === undefined;
    const named = fieldsIn(step).filter((name) => before.fields[name] !== undefined);
    const fields = named.filter((name) => digestOfValue(body?.[name]) !== before.fields[name]);
    if (!isGone && fields.length === 0) return [];
    return [
      { kind, key, id: step.id, since: before.applied_at, fields: isGone ? [] : fields, isGone },
    ];
  });
  const hands = await handsOf(laurel, drifts);
  return drifts.map(({ id, since: _since, ...drift }) => ({
    ...drift,
    hand: hands.get(id) ?? null,
  }));
}

const fieldsIn = ({ differences }: Step): string[] => [
  ...new Set(differences.map(({ field }) => field.split('.')[0]!)),
];

interface Drifted {
  /** Null where the thing is gone. */
  id: string | null;
  since: string;
  fields: readonly string[];
}

/**
 * By id, the last who changed one of its fields since: of many things the audit log is read once. None where it may not
 * be read or does not know.
 */
async function handsOf(
  laurel: Laurel,
  drifts: readonly Drifted[],
): Promise<ReadonlyMap<string | null, Hand>> {
  const hands = new Map<string | null, Hand>();
  const open = new Map(drifts.flatMap((one) => (one.id === null ? [] : [[one.id, one]])));
  if (open.size === 0) return hands;
  const [from_date] = [...open.values()].map(({ since }) => since).sort();
  try {
    for await (const entry of laurel.workspaces.listAuditLog({ from_date, limit: 200 })) {
      const { entity_id, changes, actor, at } = entry;
      const drift = entity_id === null ? undefined : open.get(entity_id);
      if (!drift || at < drift.since) continue;
      if (!changes.some((name) => isAbout(name, drift.fields))) continue;
      hands.set(entity_id, { by: actor.email ?? actor.type, at });
      open.delete(drift.id!);
      if (open.size === 0) break;
    }
  } catch (error) {
    if (!isLaurelError(error) || error.status !== 403) throw error;
  }
  return hands;
}

/** Files say `tier` where the API says `tier_id`. */
const isAbout = (name: string, fields: readonly string[]): boolean =>
  fields.includes(name) || fields.includes(name.replace(/_(id|code)$/, ''));

/** Refuses what would take back decisions made by hand, unless each of them is named. */
export function requireNoDrift(drifts: readonly Drift[], overwritten: readonly string[]): void {
  const left = drifts.filter(({ kind, key }) => !overwritten.includes(`${kind}/${key}`));
  if (left.length === 0) return;
  const names = left.map(({ kind, key }) => `${kind}/${key}`);
  throw new Failed(
    `changed by hand since it was applied: ${names.join(', ')}; take it over with laurel programme pull --only ${names[0]}, or take it back with --overwrite ${names[0]}`,
  );
}

export function wordsOfDrifts(drifts: readonly Drift[]): string[] {
  return drifts.map(({ kind, key, fields, isGone, hand }) => {
    const what = isGone ? 'deleted by hand' : `${fields.join(', ')} changed by hand`;
    const who = hand === null ? '' : `, ${hand.by}, ${hand.at}`;
    return `! ${KINDS[kind].noun} ${key}  ${what}${who}`;
  });
}

/**
 * Tells the platform what the files own: what is as they say, as it is now; what is not, because something came
 * between, as it was applied before. Nothing is written where nothing has changed. A turn ends with it.
 *
 * @param found the workspace as it is by now
 * @param left what the files no longer name and what is still to go: it stays theirs until then
 */
export async function writeRegister(
  laurel: Laurel,
  { name, managed, etag, turn }: Register,
  { plan, found, left }: { plan: Plan; found: readonly Found[]; left: readonly Removal[] },
): Promise<void> {
  const live = new Map(found.map((one) => [`${one.kind}/${one.key}`, one.body]));
  const before = new Map(managed.map((one) => [`${one.kind}/${one.key}`, one.fields]));
  const named = plan.steps.flatMap(({ wanted: { kind, key, body } }) => {
    const there = live.get(`${kind}/${key}`);
    const isAsSaid = there !== undefined && compare(body, there).length === 0;
    const fields = isAsSaid ? digestsOf(body, there) : before.get(`${kind}/${key}`);
    return fields ? [{ kind, key, fields }] : [];
  });
  const leaving = left.map(({ kind, key }) => ({
    kind,
    key,
    fields: before.get(`${kind}/${key}`) ?? {},
  }));
  const now = [...named, ...leaving];
  const known = new Map(
    managed
      .filter(({ bore }) => bore === undefined)
      .map((one) => [`${one.kind}/${one.key}`, one.fields]),
  );
  const changed = now.filter(
    ({ kind, key, fields }) => digestOfValue(known.get(`${kind}/${key}`)) !== digestOfValue(fields),
  );
  const stays = new Set(now.map(({ kind, key }) => `${kind}/${key}`));
  const released = managed
    .map(({ kind, key, bore = key }) => ({ kind, key: bore }))
    .filter(({ kind, key }) => !stays.has(`${kind}/${key}`));
  if (changed.length + released.length === 0 && etag !== null && turn === undefined) return;
  let tag = etag;
  const pages = pagesOf({ changed, released });
  for (const [index, page] of pages.entries()) {
    const seconds = index === pages.length - 1 ? 0 : SECONDS_FOR_A_PAGE;
    const held = turn === undefined ? {} : { turn: { id: turn, seconds } };
    const headers = { ...ANSWER_BRIEFLY, ...(tag === null ? {} : { 'If-Match': tag }) };
    const said = laurel.programmes.set(name, { ...page, ...held }, { headers });
    tag = (await said.withResponse()).response.headers.get('etag');
  }
}

type Named = Pick<Managed, 'kind' | 'key'>;
interface Page {
  changed: Pick<Managed, 'kind' | 'key' | 'fields'>[];
  released: Named[];
}

/** Of one page so many things and characters: a request has an end, however much files may name. */
const PAGE_THINGS = 1_000;
const PAGE_CHARACTERS = 400_000;
/** Until the next page is there; as long as a turn lasts. */
const SECONDS_FOR_A_PAGE = 120;

/** A difference in pages; one without a thing where there is none. */
function pagesOf({ changed, released }: Page): Page[] {
  const pages: Page[] = [{ changed: [], released: [] }];
  let room = { things: PAGE_THINGS, characters: PAGE_CHARACTERS };
  const pageFor = (thing: Named): Page => {
    const characters = JSON.stringify(thing).length;
    if (room.things === 0 || room.characters < characters) {
      pages.push({ changed: [], released: [] });
      room = { things: PAGE_THINGS, characters: PAGE_CHARACTERS };
    }
    room = { things: room.things - 1, characters: room.characters - characters };
    return pages.at(-1)!;
  };
  for (const thing of released) pageFor(thing).released.push(thing);
  for (const thing of changed) pageFor(thing).changed.push(thing);
  return pages;
}

/** Of each field that a file names, what it is on the platform: there it may hold more than the file says. */
const digestsOf = (said: Body, there: Body): Record<string, string> =>
  Object.fromEntries(
    Object.keys(said)
      .filter((name) => name !== 'key')
      .map((name) => [name, digestOfValue(there[name])]),
  );

/** The same value has the same digest, in whatever order its members come. */
const digestOfValue = (value: unknown): string => digestOf(sorted(value), VALUE_DIGITS);
const VALUE_DIGITS = 32;

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(sorted);
    return items.every((one) => typeof one === 'string') ? items.sort() : items;
  }
  if (typeof value !== 'object' || value === null) return value ?? null;
  const members = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}
