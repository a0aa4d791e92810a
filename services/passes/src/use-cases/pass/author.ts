import { currentContext } from '@laurel/lifecycle';
import type { PassDeps } from '../../deps';

/** Who changes something, and when; `userId` is null for the platform itself and for staff without an account. */
export interface Authorship {
  userId: string | null;
  now: Date;
}

export function authorship({ clock }: Pick<PassDeps, 'clock'>): Authorship {
  const { actor } = currentContext();
  const isUser = actor.type === 'user' || actor.type === 'token';
  return { userId: isUser ? actor.id : null, now: clock.now() };
}

/** Who caused the work going on, as the trail names it. */
export function sourceOf(): string {
  const { actor, chain } = currentContext();
  if (chain.length > 0) return 'automation';
  return actor.type === 'user' || actor.type === 'token' ? 'api' : actor.type;
}
