import type { WalletType } from '@laurel/client';

/** The currency that pays for a reward: the one that it names, else the shop's own. */
export function payerOf(
  { wallet_type_id: id }: { wallet_type_id?: string | null | undefined },
  types: readonly WalletType[] | undefined,
): WalletType | undefined {
  return types?.find((type) => (id ? type.id === id : type.is_default));
}
