import type { Refusal } from '@laurel/errors';
import { refusals } from '../refusals';
import { opens, type Route } from '../routing';
import type { Caller } from './caller';

/**
 * Refuses a named token what it is not for, before anything is read: 403 `scope_missing` with the `missing_scope`, or
 * `not_by_named_token`. A token that is bound to a workspace opens nothing beside workspaces but what reads.
 */
export function requireScope(
  { scope, stack, admitsItself }: Pick<Route, 'scope' | 'stack' | 'admitsItself'>,
  { grant }: Caller,
): void {
  if (!grant || stack.name !== 'member') return;
  if (scope === 'account') throw refusals.notByNamedToken();
  if (!opens(grant.scope, scope)) throw missing(scope ?? 'full');
  const isBeside = stack.scope.from === 'none' && !admitsItself;
  if (isBeside && grant.workspaceId !== null && scope !== 'read')
    throw refusals.tokenOfAnotherWorkspace();
}

/** Refuses a token that is bound to another workspace than the one in question, as a stranger is refused. */
export function requireBoundTo({ grant }: Caller, workspaceId: string): void {
  if (grant && grant.workspaceId !== null && grant.workspaceId !== workspaceId)
    throw refusals.tokenOfAnotherWorkspace();
}

function missing(scope: string): Refusal {
  return refusals.scopeMissing({ values: { scope }, extensions: { missing_scope: scope } });
}
