/**
 * What a named token is for (docs/adr/0041). `full` is everything in workspaces; each but `read` reads, too.
 */
export const TOKEN_SCOPES = ['read', 'configure', 'operate', 'full'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** What an operation wants of a named token; `account` is what none opens: a person's own credentials and invitations. */
export type Scope = TokenScope | 'account';

const OPENS: Readonly<Record<TokenScope, readonly Scope[]>> = {
  read: ['read'],
  configure: ['read', 'configure'],
  operate: ['read', 'operate'],
  full: ['read', 'configure', 'operate', 'full'],
};

/** Whether a token of one scope opens what wants another; what nobody has said wants more than there is. */
export function opens(held: TokenScope, wanted: Scope | undefined): boolean {
  return wanted !== undefined && OPENS[held].includes(wanted);
}
