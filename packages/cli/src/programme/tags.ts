import { isLaurelError } from '@laurel/client';
import { Failed } from '../failures';
import type { KindName } from './kinds';

/** The version of one thing that a plan was made of. */
export interface Seen {
  kind: KindName;
  key: string;
  etag: string;
}

/** A plan holds as a whole, or not at all: who hears this looks at a new one. */
export const groundMoved = (why: string): Failed =>
  new Failed(`the ground moved, plan again: ${why}`);

/** Of two who apply one programme at once, the second hears this. */
export const beingApplied = ({ by, until }: { by: string; until: string }): Failed =>
  groundMoved(`${by} is applying this programme, until ${until} at the latest`);

type Thing = Pick<Seen, 'kind' | 'key'>;

/** Refuses what somebody has decided about since. */
export const thingMoved = ({ kind, key }: Thing): Failed =>
  groundMoved(`somebody changed ${kind}/${key} after the plan was made`);

/** Changes a thing as the version that was looked at, so that it holds at the moment of the change, too. */
export async function underTag(
  tag: string | undefined,
  thing: Thing,
  change: (options: { headers: Record<string, string> }) => Promise<unknown>,
): Promise<void> {
  try {
    await change({ headers: tag === undefined ? {} : { 'If-Match': tag } });
  } catch (error) {
    throw isLaurelError(error) && error.status === 412 ? thingMoved(thing) : error;
  }
}

/** Kinds whose changes may make others another version without a decision about those: a tier its set. */
const MOVED_BY: Partial<Record<KindName, readonly KindName[]>> = {
  wallet_types: ['wallet_types'],
  projects: ['pass_templates'],
  tier_set: ['tiers'],
  tiers: ['tier_set', 'tiers'],
  pass_templates: ['projects', 'tiers'],
};

/** The tags under which changes go out; one that a change of this plan may have moved holds no longer. */
export interface Tags {
  of(thing: Thing): string | undefined;
  changed(kind: KindName): void;
}

export function createTags(seen: readonly Seen[]): Tags {
  const tags = new Map(seen.map(({ kind, key, etag }) => [`${kind}/${key}`, etag]));
  const changed = new Set<KindName>();
  return {
    of: ({ kind, key }) =>
      (MOVED_BY[kind] ?? []).some((other) => changed.has(other))
        ? undefined
        : tags.get(`${kind}/${key}`),
    changed: (kind) => void changed.add(kind),
  };
}
