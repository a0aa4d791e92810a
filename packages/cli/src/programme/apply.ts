import type { Laurel } from '@laurel/client';
import { Failed } from '../failures';
import { madeAnew } from './anew';
import type { Begins } from './begins';
import { digestOf } from './digest';
import { readThing } from './ground';
import { type Body, KINDS, type KindName } from './kinds';
import { type Found, namesOf } from './live';
import type { Pictures } from './pictures';
import { changesOf, compare, type Plan, type Step } from './plan';
import { missingIn, type Names, toApi } from './references';
import { createTags, type Tags, thingMoved, underTag } from './tags';

/** The same thing wanted again, while nothing else has changed, is the same call: its answer was lost. */
const KEY_DIGITS = 40;

/** What was done; secrets that are shown once are here once. */
export interface Done {
  action: Step['action'];
  kind: string;
  key: string;
  id: string;
  /** Null where it could not be had, though what it is of is there. */
  secret?: string | null;
  /** The file that keeps its secret in place of the terminal. */
  secretIn?: string;
}

const unheard: Begins = () => undefined;

/**
 * Does what a plan says, one thing at a time, in its order: rules come last, so that half a programme pays nothing. It
 * stops where the platform says no; the same files go on from there, because what has been done is there by then. A secret
 * is given out with what it is of, before anything else is asked.
 */
export async function* applyPlan(
  laurel: Laurel,
  plan: Plan,
  {
    found,
    pictures,
    tags = createTags([]),
    begins = unheard,
  }: { found: readonly Found[]; pictures?: Pictures; tags?: Tags; begins?: Begins },
): AsyncGenerator<Done, void, undefined> {
  const names = namesOf(found);
  const before = digestOf(found.map(({ id }) => id).sort(), KEY_DIGITS);
  let open: Open[] = [];
  const withPictures = async (body: Body) => pictures?.put(body) ?? body;
  for (const step of changesOf(plan)) {
    const { action, wanted } = step;
    const { kind, key, body } = wanted;
    const { create, update, identity, isCode, secret, usual } = KINDS[kind];
    const hasSecret = action === 'create' && secret?.isWith({ ...usual, ...body }) === true;
    begins({ ...wanted, hasSecret });
    const { now, later } = apart(action === 'create' ? body : onlyChanged(step), names);
    const given = await withPictures(asAsked(step, now, names));
    if (action === 'update') {
      const id = step.id!;
      if (Object.keys(later).length > 0) open.push({ step, id, body: later });
      const tag = tags.of(step.wanted) ?? (await tagOf(laurel, step, names));
      if (Object.keys(given).length > 0)
        await unlessDone(laurel, { step, said: now, names }, () =>
          underTag(tag, step.wanted, (options) =>
            update(laurel, { id, body: given as never, options }),
          ),
        );
      tags.changed(kind);
      yield { action, kind, key, id };
      continue;
    }
    const whole = identity !== null && isCode ? { ...given, [identity]: key } : given;
    const idempotencyKey = `apply-${digestOf([before, kind, whole], KEY_DIGITS)}`;
    const made = await madeAnew(
      (options) => create(laurel, whole as never, options) as Promise<Body>,
      { idempotencyKey },
      (one) => isThere(laurel, kind, one),
    );
    const row = rowOf(made);
    const id = String(row.id ?? kind);
    names.add({ kind, key, id });
    tags.changed(kind);
    if (Object.keys(later).length > 0) open.push({ step, id, body: later });
    yield* madeWithSecret(laurel, step, { id, made: { ...row, secret: made.secret }, begins });
    open = await referBack(laurel, open, { names, begins });
  }
}

/** What was made, with the secret that is shown once; it is there also where none is given for it. */
async function* madeWithSecret(
  laurel: Laurel,
  { action, wanted }: Step,
  { id, made, begins }: { id: string; made: Body; begins: Begins },
): AsyncGenerator<Done, void, undefined> {
  const { kind, key } = wanted;
  const done = { action, kind, key, id };
  const { secret } = KINDS[kind];
  if (!secret?.isWith(made)) return yield done;
  let shown: string;
  try {
    shown = await secret.of(laurel, made);
  } catch (error) {
    yield { ...done, secret: null };
    // It is what the apply stops at, though it is done.
    begins(wanted);
    throw error;
  }
  yield { ...done, secret: shown };
}

/** What shows a secret with its answer has the thing beside it. */
const rowOf = (made: Body): Body => (made.data ?? made) as Body;

async function isThere(laurel: Laurel, kind: KindName, made: Body): Promise<boolean> {
  const { id = null } = rowOf(made);
  return (await KINDS[kind].list(laurel)).some((row) => (row.id ?? null) === id);
}

/** A try whose answer was lost has moved the tag itself: what is as it was to be is no ground that moved. */
async function unlessDone(
  laurel: Laurel,
  { step, said, names }: { step: Step; said: Body; names: Names },
  change: () => Promise<void>,
): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const there = await readThing(laurel, { kind: step.wanted.kind, id: step.id! }, names);
    if (!there || compare(said, there.body).length > 0) throw error;
  }
}

/** What refers to something that was not there yet. */
interface Open {
  step: Step;
  id: string;
  body: Body;
}

/** Says what refers to what is there by now; @returns the rest. Rules come after all of it. */
async function referBack(
  laurel: Laurel,
  open: readonly Open[],
  { names, begins }: { names: Names; begins: Begins },
): Promise<Open[]> {
  const left: Open[] = [];
  for (const one of open) {
    const { step, id } = one;
    const { now, later } = apart(one.body, names);
    if (Object.keys(now).length > 0) {
      begins(step.wanted);
      const body = asAsked(step, now, names) as never;
      await KINDS[step.wanted.kind].update(laurel, { id, body, options: {} });
      begins(null);
    }
    if (Object.keys(later).length > 0) left.push({ ...one, body: later });
  }
  return left;
}

/** What a file says of a thing, as the platform takes it. */
function asAsked({ wanted: { kind, key, file } }: Step, body: Body, names: Names): Body {
  const where = `${file}: ${kind}/${key}`;
  return toApi(body, names, { where, isReward: kind === 'rewards' }) as Body;
}

/** Two may refer to each other, as a tier and its card: what refers to what is not there yet is said once it is. */
function apart(body: Body, names: Names): { now: Body; later: Body } {
  const now: Body = {};
  const later: Body = {};
  for (const [name, value] of Object.entries(body)) {
    const place = missingIn({ [name]: value }, names).length === 0 ? now : later;
    place[name] = value;
  }
  return { now, later };
}

/**
 * The version of a thing that is still what the plan saw, or else what this plan has made of it: what somebody decided
 * in between is not taken back.
 */
async function tagOf(laurel: Laurel, step: Step, names: Names): Promise<string | undefined> {
  const { kind, key, body } = step.wanted;
  const now = await readThing(laurel, { kind, id: step.id! }, names);
  if (!now) return undefined;
  const planned = new Set(step.differences.map((one) => JSON.stringify(one)));
  if (compare(body, now.body).some((one) => !planned.has(JSON.stringify(one))))
    throw thingMoved({ kind, key });
  return now.etag ?? undefined;
}

/** The fields that differ, each as a whole: the platform replaces what a field holds. */
function onlyChanged({ wanted: { body }, differences }: Step): Body {
  const names = new Set(differences.map(({ field }) => field.split('.')[0]!));
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.has(name)));
}
