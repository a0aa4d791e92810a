import { type identity, orBeforeUpgrade } from '@laurel/rpc';

/** What identity says of a workspace's brand; while no identity knows of brands yet, no workspace has one. */
export const orNoBrand = (asked: Promise<identity.Brand>): Promise<identity.Brand> =>
  orBeforeUpgrade(asked, () => ({}));
