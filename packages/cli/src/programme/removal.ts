import { isLaurelError, type Laurel } from '@laurel/client';
import { Failed } from '../failures';
import type { Begins } from './begins';
import type { OnRemoval, Wanted } from './files';
import { KINDS, type KindName } from './kinds';
import type { Found } from './live';
import { referencesIn } from './references';
import { createTags, type Tags, underTag } from './tags';

/** One thing that the files no longer name. */
export interface Removal {
  kind: KindName;
  key: string;
  id: string;
  /** `release` leaves it as it is: from then on it belongs to the console. */
  action: 'deactivate' | 'delete' | 'release';
  /** What would still refer to it: the platform may refuse to delete it. */
  referredBy?: string[];
}

/**
 * What leaves a programme, in the order in which it may go: what refers before what it refers to. Whatever the programme
 * never owned is not among it.
 *
 * @param managed what the programme owned when it was applied
 */
export function removalsOf(
  managed: readonly { kind: string; key: string }[],
  {
    wanted,
    found,
    onRemoval,
  }: { wanted: readonly Wanted[]; found: readonly Found[]; onRemoval: OnRemoval },
): Removal[] {
  const named = new Set(wanted.map(({ kind, key }) => `${kind}/${key}`));
  const owned = new Set(managed.map(({ kind, key }) => `${kind}/${key}`));
  const leaving = found
    .filter(({ kind, key }) => owned.has(`${kind}/${key}`) && !named.has(`${kind}/${key}`))
    .map(({ kind, key, id, body }) => ({ kind, key, id, action: actionFor(kind, body, onRemoval) }))
    .reverse();
  return tiersBeforeCards(leaving);
}

/** Tiers and cards name each other: a card stays while a tier puts it on passes, a tier goes whatever card is for it. */
function tiersBeforeCards(removals: Removal[]): Removal[] {
  const tiers = removals.filter(({ kind }) => kind === 'tiers');
  const others = removals.filter(({ kind }) => kind !== 'tiers');
  const at = others.findIndex(({ kind }) => kind === 'pass_templates');
  return at === -1 ? removals : [...others.slice(0, at), ...tiers, ...others.slice(at)];
}

/** The same, each deletion with what would still refer to it by then; `staying` is as it is once the rest is applied. */
export function withReferrers(
  removals: readonly Removal[],
  staying: readonly Pick<Found, 'kind' | 'key' | 'body'>[],
): Removal[] {
  const referrers = new Map<string, string[]>();
  for (const { kind, key, body } of staying)
    for (const id of new Set(referencesIn(body)))
      referrers.set(id, [...(referrers.get(id) ?? []), `${kind}/${key}`]);
  return removals.map((one) => {
    const referredBy = referrers.get(`${one.kind}/${one.key}`);
    return one.action === 'delete' && referredBy ? { ...one, referredBy } : one;
  });
}

function actionFor(kind: KindName, body: Found['body'], onRemoval: OnRemoval): Removal['action'] {
  // A workspace that has wallet types has one that is meant where nothing else is said.
  if (kind === 'wallet_types' && body.is_default === true) return 'release';
  if (onRemoval === 'delete' && KINDS[kind].remove) return 'delete';
  return onRemoval === 'deactivate' && body.active === true ? 'deactivate' : 'release';
}

/** Refuses to delete without a word for it on the command line: a file alone, or its absence, deletes nothing. */
export function requireLeave(removals: readonly Removal[], mayDelete: boolean): void {
  const doomed = removals.filter(({ action }) => action === 'delete');
  if (doomed.length === 0 || mayDelete) return;
  const names = doomed.map(({ kind, key }) => `${kind}/${key}`).join(', ');
  throw new Failed(`the files no longer name ${names}; --delete says that they may be deleted`);
}

/** Does it, one after the other, and stops where the platform says no: what others use stays. */
export async function* applyRemovals(
  laurel: Laurel,
  removals: readonly Removal[],
  { tags = createTags([]), begins }: { tags?: Tags; begins?: Begins } = {},
): AsyncGenerator<Removal, void, undefined> {
  for (const removal of removals) {
    begins?.(removal);
    const { kind, id, action } = removal;
    const { remove, update } = KINDS[kind];
    if (action !== 'release')
      await underTag(tags.of(removal), removal, (options) =>
        action === 'delete'
          ? remove!(laurel, id, options).catch(unlessGone)
          : update(laurel, { id, body: { active: false } as never, options }),
      );
    tags.changed(kind);
    yield removal;
  }
}

/** What is not there is deleted: the try before it may have done it, and its answer was lost. */
function unlessGone(error: unknown): void {
  if (!isLaurelError(error) || error.status !== 404) throw error;
}

const WORDS: Record<Removal['action'], string> = {
  deactivate: 'is switched off',
  delete: 'is deleted; what the ledger and the history say of it stays',
  release: 'stays, and belongs to the console from then on',
};

export const wordsOfRemovals = (removals: readonly Removal[]): string[] =>
  removals.map(({ kind, key, action, referredBy = [] }) => {
    const still = referredBy.length === 0 ? '' : `; still referred to by ${referredBy.join(', ')}`;
    return `- ${KINDS[kind].noun} ${key}  no longer in the files: ${WORDS[action]}${still}`;
  });
