import { emailKey } from '@laurel/values/email';
import type { Client } from './client';

/** What somebody says to show that a record is theirs. */
export interface IdentityProof {
  email?: string;
  phone?: string;
  confirm_erase?: boolean;
}

const phoneForm = (phone: string): string => phone.replace(/[\s-]/g, '');

/**
 * Whether the proof fits the record (part 1, Public loyalty portal): the stored e-mail address; where there
 * is none, the stored phone; where there is neither, a plain yes.
 */
export function provesIdentity(
  { email, phone }: Pick<Client, 'email' | 'phone'>,
  proof: IdentityProof,
): boolean {
  if (email) return proof.email !== undefined && emailKey(proof.email) === emailKey(email);
  if (phone) return proof.phone !== undefined && phoneForm(proof.phone) === phoneForm(phone);
  return proof.confirm_erase === true;
}
