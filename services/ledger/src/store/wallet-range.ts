/** Which wallets are meant: all of a workspace, or those of one client or wallet type. */
export interface WalletScope {
  workspaceId: string;
  clientId?: string | undefined;
  walletTypeId?: string | undefined;
}

/** The condition on rows of a workspace that a scope is. */
export const ofScope = ({ clientId, walletTypeId }: Omit<WalletScope, 'workspaceId'>) => ({
  ...(clientId === undefined ? {} : { client_id: clientId }),
  ...(walletTypeId === undefined ? {} : { wallet_type_id: walletTypeId }),
});

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
