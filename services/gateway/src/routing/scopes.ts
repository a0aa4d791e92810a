import { TOKEN_SCOPES, type TokenScope } from '@laurel/contract';

/** What an operation wants of a named token; `account` is what none opens: a person's own credentials and invitations. */
export type Scope = TokenScope | 'account';

const OPENS: Readonly<Record<TokenScope, readonly Scope[]>> = {
  read: ['read'],
  configure: ['read', 'configure'],
  operate: ['read', 'operate'],
  full: TOKEN_SCOPES,
};

/** Whether a token of one scope opens what wants another; what is undeclared wants more than there is. */
export function opens(held: TokenScope, wanted: Scope | undefined): boolean {
  return wanted !== undefined && OPENS[held].includes(wanted);
}
