import type { Laurel } from '@laurel/client';
import { Failed } from '../failures';
import { digestOf } from './digest';
import { type Body, KINDS, type KindName } from './kinds';
import { asFile, type Found, namesOf } from './live';
import { changesOf, compare, type Plan, type Step } from './plan';
import { type Names, referencesIn, toApi } from './references';

/** The same thing wanted again, while nothing else has changed, is the same call: its answer was lost. */
const KEY_DIGITS = 40;

type HeadersOf = Record<string, string>;
type Known = Pick<Found, 'kind' | 'key' | 'id'>[];

/** What was done; secrets that are shown once are here once. */
export interface Done {
  action: Step['action'];
  kind: string;
  key: string;
  id: string;
  secret?: string;
}

/**
 * Does what a plan says, one thing at a time, in its order: rules come last, so that half a programme pays nothing. It
 * stops where the platform says no; the same files go on from there, because what has been done is there by then.
 */
export async function* applyPlan(
  laurel: Laurel,
  plan: Plan,
  found: readonly Found[],
): AsyncGenerator<Done, void, undefined> {
  const known: Known = [...found];
  const before = digestOf(found.map(({ id }) => id).sort(), KEY_DIGITS);
  const open: { step: Step; id: string; body: Body }[] = [];
  for (const step of changesOf(plan)) {
    const { action, wanted } = step;
    const { kind, key, body } = wanted;
    const { create, update, identity, isCode } = KINDS[kind];
    const { now, later } = apart(action === 'create' ? body : onlyChanged(step), namesOf(known));
    const given = asAsked(step, now, known);
    if (action === 'update') {
      const id = step.id!;
      if (Object.keys(later).length > 0) open.push({ step, id, body: later });
      const headers = await conditionOf(laurel, step, namesOf(known));
      if (Object.keys(given).length > 0)
        await update(laurel, { id, body: given as never, options: { headers } });
      yield { action, kind, key, id };
      continue;
    }
    const whole = identity !== null && isCode ? { ...given, [identity]: key } : given;
    const made = (await create(laurel, whole as never, {
      idempotencyKey: `apply-${digestOf([before, kind, whole], KEY_DIGITS)}`,
    })) as Body;
    // What shows a secret once has the thing beside it.
    const row = (made.data ?? made) as Body;
    const id = String(row.id ?? kind);
    known.push({ kind, key, id });
    if (Object.keys(later).length > 0) open.push({ step, id, body: later });
    yield {
      action,
      kind,
      key,
      id,
      ...(typeof made.secret === 'string' ? { secret: made.secret } : {}),
    };
  }
  for (const { step, id, body } of open)
    await KINDS[step.wanted.kind].update(laurel, {
      id,
      body: asAsked(step, body, known) as never,
      options: {},
    });
}

/** What a file says of a thing, as the platform takes it. */
function asAsked({ wanted: { kind, key, file } }: Step, body: Body, known: Known): Body {
  const where = `${file}: ${kind}/${key}`;
  return toApi(body, namesOf(known), { where, isReward: kind === 'rewards' }) as Body;
}

/** Two may refer to each other, as a tier and its card: what refers to what is not there yet is said once it is. */
function apart(body: Body, names: Names): { now: Body; later: Body } {
  const isKnown = (id: string): boolean => {
    const [kind, key] = id.split('/') as [KindName, string];
    return names.idOf(kind, key) !== undefined;
  };
  const now: Body = {};
  const later: Body = {};
  for (const [name, value] of Object.entries(body)) {
    const place = referencesIn({ [name]: value }).every(isKnown) ? now : later;
    place[name] = value;
  }
  return { now, later };
}

/**
 * That the thing is still what the plan saw, or else what this plan has made of it: what somebody decided in between is
 * not taken back. Said as the version it is of, so that it holds at the moment of the change, too.
 */
async function conditionOf(laurel: Laurel, step: Step, names: Names): Promise<HeadersOf> {
  const { kind, key, body, file } = step.wanted;
  const reading = KINDS[kind].read?.(laurel, step.id!);
  if (!reading) return {};
  const { data, response } = await reading.withResponse();
  const planned = new Set(step.differences.map((one) => JSON.stringify(one)));
  const beside = (await KINDS[kind].readBeside?.(laurel, step.id!)) ?? {};
  const live = data === null ? {} : asFile(kind, { ...data, ...beside } as Body, names);
  const now = compare(body, live);
  if (now.some((one) => !planned.has(JSON.stringify(one))))
    throw new Failed(
      `${file}: somebody changed ${kind}/${key} after the plan was made; look at a new plan`,
    );
  const etag = response.headers.get('etag');
  return etag === null ? {} : { 'If-Match': etag };
}

/** The fields that differ, each as a whole: the platform replaces what a field holds. */
function onlyChanged({ wanted: { body }, differences }: Step): Body {
  const names = new Set(differences.map(({ field }) => field.split('.')[0]!));
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.has(name)));
}
