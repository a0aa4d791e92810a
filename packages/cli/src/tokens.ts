import type { Laurel } from '@laurel/client';
import { TOKEN_SCOPES, type TokenScope } from '@laurel/contract';
import { type Command, Option } from 'commander';
import { wholeNumber } from './values';

const DAY_MS = 86_400_000;

/** What a token is to be, as it is said with a command. */
export interface Wanted {
  scope?: TokenScope;
  bound?: boolean;
  days?: number;
}

/** The options that say what a token is to be. */
export const wanting = (made: Command): Command =>
  made
    .addOption(
      new Option(
        '--scope <scope>',
        'what it is for: reading, setting programmes up, day by day work, or everything',
      ).choices(TOKEN_SCOPES),
    )
    .option('--bound', 'let it open the chosen workspace alone')
    .option('--days <days>', 'let it end after so many days', wholeNumber);

/** Makes a named token of the signed-in user. @param workspace the one that it is bound to */
export const makeToken = (
  laurel: Laurel,
  {
    name,
    scope,
    days,
    workspace,
  }: Wanted & { name: string; scope: TokenScope; workspace?: string },
) =>
  laurel.user.createApiToken({
    name,
    scope,
    ...(workspace === undefined ? {} : { workspace_id: workspace }),
    ...(days === undefined
      ? {}
      : { expires_at: new Date(Date.now() + days * DAY_MS).toISOString() }),
  });
