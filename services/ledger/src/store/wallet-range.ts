/** Wallets behind one id, up to and with another; to the last where that is null. */
export interface WalletRange {
  after: string;
  through: string | null;
}

/** The condition on ids of wallets that a range is. */
export const idsWithin = ({ after, through }: WalletRange) => ({
  $gt: after,
  ...(through === null ? {} : { $lte: through }),
});
