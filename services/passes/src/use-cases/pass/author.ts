import { currentContext } from '@laurel/lifecycle';
import type { PassDeps } from '../../deps';
import type { Author } from '../../domain/author';

export function authorship({ clock }: Pick<PassDeps, 'clock'>): Author {
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
