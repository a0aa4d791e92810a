import type { passes as api } from '@laurel/rpc';

/**
 * Whether phones take the passes of a workspace, as the contract has it (part 3, section 10).
 *
 * @param expand `credentials`: also whose keys are in use, and until when
 */
export function shownStatus(
  { apple, google }: api.WalletStatus,
  expand: readonly 'credentials'[] = [],
) {
  const shown = ({ ready, missing, own = false, valid_until = null }: api.WalletReadiness) => ({
    ready,
    missing,
    ...(expand.includes('credentials') ? { credentials: { own, valid_until } } : {}),
  });
  return { apple: shown(apple!), google: shown(google!) };
}
