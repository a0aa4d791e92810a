/** What shows whether cards go onto phones. */
export const WALLET_VIEWS = ['wallet-status', 'overview'] as const;
