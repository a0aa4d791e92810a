import type { WalletType } from '@laurel/client';

/** The currency that pays for a reward, or paid for a redemption: without one nothing is paid. */
export function payerOf(
  { wallet_type_id }: { wallet_type_id?: string | null | undefined },
  types: readonly WalletType[] | undefined,
): WalletType | undefined {
  return types?.find(({ id }) => id === wallet_type_id);
}
