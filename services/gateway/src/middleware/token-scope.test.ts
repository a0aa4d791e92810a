import { TOKEN_SCOPES, type TokenScope } from '@laurel/contract';
import type { Refusal } from '@laurel/errors';
import { member, type Scope, user } from '../routing';
import { anonymous, type Caller } from './caller';
import { requireBoundTo, requireScope } from './token-scope';

const holding = (scope: TokenScope, workspaceId: string | null = null): Caller => ({
  ...anonymous('ip'),
  type: 'token',
  grant: { scope, workspaceId },
});

/** What is said: nothing, or the reason with the scope that is missing. */
function said(act: () => void): string {
  try {
    act();
    return 'let in';
  } catch (error) {
    const { reason, missing_scope } = (error as Refusal).problems[0]!.extensions!;
    return [reason, missing_scope].filter(Boolean).join(' ');
  }
}

test.each([
  ['read', ['read']],
  ['configure', ['read', 'configure']],
  ['operate', ['read', 'operate']],
  ['full', ['read', 'configure', 'operate', 'full']],
] as [TokenScope, Scope[]][])(
  'a token with the scope %s opens %p and hears what else is missing',
  (held, opened) => {
    for (const scope of TOKEN_SCOPES) {
      const isLet = opened.includes(scope);
      expect(said(() => requireScope({ scope, stack: member() }, holding(held)))).toBe(
        isLet ? 'let in' : `scope_missing ${scope}`,
      );
    }
  },
);

test.each(TOKEN_SCOPES)(
  'a token with the scope %s opens nothing of its user’s own account',
  (held) => {
    expect(said(() => requireScope({ scope: 'account', stack: user() }, holding(held)))).toBe(
      'not_by_named_token',
    );
  },
);

test('no named token opens a route that says no scope, and who has none is not asked', () => {
  expect(said(() => requireScope({ stack: member() }, holding('full')))).toBe('scope_missing full');
  expect(said(() => requireScope({ stack: member() }, anonymous('ip')))).toBe('let in');
});

test('a token that is bound to a workspace opens that one, and beside workspaces what reads', () => {
  const bound = holding('full', 'a');
  expect(said(() => requireBoundTo(bound, 'a'))).toBe('let in');
  expect(said(() => requireBoundTo(bound, 'b'))).toBe('token_of_another_workspace');
  expect(said(() => requireScope({ scope: 'read', stack: user() }, bound))).toBe('let in');
  expect(said(() => requireScope({ scope: 'full', stack: user() }, bound))).toBe(
    'token_of_another_workspace',
  );
  const later = { scope: 'full', stack: user(), admitsItself: true } as const;
  expect(said(() => requireScope(later, bound))).toBe('let in');
  expect(said(() => requireBoundTo(holding('full'), 'b'))).toBe('let in');
  expect(said(() => requireScope({ scope: 'full', stack: user() }, holding('full')))).toBe(
    'let in',
  );
  expect(said(() => requireScope({ scope: 'full', stack: member() }, bound))).toBe('let in');
});
