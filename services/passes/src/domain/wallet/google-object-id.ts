import type { Pass } from '../pass/pass';

/** What an object at Google is named after. */
export type NamedPass = Pick<Pass, 'id'> & Partial<Pick<Pass, 'link_generation'>>;

/**
 * What a pass is called at Google. With its links made anew it is another object, as the token of a card at Apple is
 * another: those who saved the former one hold what has ended (docs/adr/0014).
 */
export function googleObjectId(
  issuerId: string,
  { id, link_generation: generation = 0 }: NamedPass,
): string {
  return `${issuerId}.${id}${generation === 0 ? '' : `_${generation}`}`;
}

/** Whether an object bears the name of earlier links of a pass. */
export function isFormerObject(objectId: string, pass: NamedPass): boolean {
  return objectId !== googleObjectId(partsOfObjectId(objectId).issuerId, pass);
}

/** Of several accounts one of the issuer that an object is named after: no other one can change it. */
export function accountOf<Account extends { issuerId: string }>(
  objectId: string,
  accounts: readonly Account[],
): Account | undefined {
  const { issuerId } = partsOfObjectId(objectId);
  return accounts.find((account) => account.issuerId === issuerId);
}

/** The issuer and the pass that an object was named after. */
export function partsOfObjectId(objectId: string): { issuerId: string; passId: string } {
  const [issuerId = '', name = ''] = objectId.split('.');
  return { issuerId, passId: name.split('_')[0]! };
}
