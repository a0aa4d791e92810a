/** What pages have where the shop chose none. */
export const USUAL = { primary: '#1f6f54', background: '#f6f7f4' };
