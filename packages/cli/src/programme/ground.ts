import type { Laurel } from '@laurel/client';
import { type Body, KINDS } from './kinds';
import { asFile, type Found, namesOf } from './live';
import { changesOf, compare, type Plan } from './plan';
import type { Names } from './references';
import { type Seen, thingMoved } from './tags';

/** One thing as it is now, as a file would say it, with the tag of its version; null where its kind has none. */
export async function readThing(
  laurel: Laurel,
  { kind, id }: Pick<Found, 'kind' | 'id'>,
  names: Names,
): Promise<{ body: Body; etag: string | null } | null> {
  const reading = KINDS[kind].read?.(laurel, id);
  if (!reading) return null;
  const { data, response } = await reading.withResponse();
  const beside = (await KINDS[kind].readBeside?.(laurel, id)) ?? {};
  const body = data === null ? {} : asFile(kind, { ...data, ...beside } as Body, names);
  return { body, etag: response.headers.get('etag') };
}

/** The version of each thing that a plan changes or takes away; refuses where one is no longer as it was planned with. */
export async function seenBy(laurel: Laurel, plan: Plan, found: readonly Found[]): Promise<Seen[]> {
  const seen: Seen[] = [];
  const names = namesOf(found);
  for (const step of changesOf(plan)) {
    if (step.action === 'create') continue;
    const { kind, key, body } = step.wanted;
    const now = await readThing(laurel, { kind, id: step.id! }, names);
    if (!now || now.etag === null) continue;
    const differences = compare(body, now.body);
    if (JSON.stringify(differences) !== JSON.stringify(step.differences))
      throw thingMoved({ kind, key });
    seen.push({ kind, key, etag: now.etag });
  }
  for (const { kind, key, id, action } of plan.removals) {
    const now = action === 'release' ? null : await readThing(laurel, { kind, id }, names);
    if (now?.etag) seen.push({ kind, key, etag: now.etag });
  }
  return seen;
}

/** Refuses where one of the things is another version by now, before anything is done. */
export function requireSeen(planned: readonly Seen[], now: readonly Seen[]): void {
  const tags = new Map(now.map(({ kind, key, etag }) => [`${kind}/${key}`, etag]));
  const moved = planned.find(({ kind, key, etag }) => tags.get(`${kind}/${key}`) !== etag);
  if (moved) throw thingMoved(moved);
}
