import type { Readiness } from './types';

/** For which wallets people are shown a button. */
export interface OfferedWallets {
  apple: boolean;
  google: boolean;
}

const LOCAL_HOST = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/;

/**
 * Buttons lead to wallets that take the pass (part 4, section 4). On somebody's own machine, where no wallet can be
 * ready, they are shown all the same, to be tried out.
 */
export function offeredWallets(
  { apple, google }: Record<'apple' | 'google', Pick<Readiness, 'ready'>>,
  publicUrl: string,
): OfferedWallets {
  const isLocal = LOCAL_HOST.test(new URL(publicUrl).hostname);
  return { apple: isLocal || apple.ready, google: isLocal || google.ready };
}
