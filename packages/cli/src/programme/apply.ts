import { createHash } from 'node:crypto';
import type { Laurel } from '@laurel/client';
import { type Body, KINDS } from './kinds';
import { type Found, namesOf } from './live';
import { changesOf, type Plan, type Step } from './plan';
import { toApi } from './references';

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
  const known: Pick<Found, 'kind' | 'key' | 'id'>[] = [...found];
  const before = digestOf(found.map(({ id }) => id).sort());
  for (const step of changesOf(plan)) {
    const { action, wanted } = step;
    const { kind, key, body, file } = wanted;
    const { create, update, identity, isCode } = KINDS[kind];
    const where = `${file}: ${kind}/${key}`;
    const said = action === 'create' ? body : onlyChanged(step);
    const given = toApi(said, namesOf(known), { where, isReward: kind === 'rewards' }) as Body;
    if (action === 'update') {
      await update(laurel, step.id!, given as never);
      yield { action, kind, key, id: step.id! };
      continue;
    }
    const whole = identity !== null && isCode ? { ...given, [identity]: key } : given;
    const made = (await create(laurel, whole as never, {
      idempotencyKey: `apply-${digestOf([before, kind, whole])}`,
    })) as Body;
    // What shows a secret once has the thing beside it.
    const row = (made.data ?? made) as Body;
    const id = String(row.id ?? kind);
    known.push({ kind, key, id });
    yield {
      action,
      kind,
      key,
      id,
      ...(typeof made.secret === 'string' ? { secret: made.secret } : {}),
    };
  }
}

/** The fields that differ, each as a whole: the platform replaces what a field holds. */
function onlyChanged({ wanted: { body }, differences }: Step): Body {
  const names = new Set(differences.map(({ field }) => field.split('.')[0]!));
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.has(name)));
}

/** The same thing wanted again, while nothing else has changed, is the same call: its answer was lost. */
const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 40);
