/**
 * Whether somebody has shown to read the mails of an account's address. An account from before this was
 * asked has no mark: it counts as proven only where a sign-on provider's word is the one way in that it
 * has ever had (docs/adr/0014).
 */
export function isAddressProven({
  email_verified,
  google_subject,
  password_hash,
}: {
  email_verified?: boolean;
  google_subject?: string;
  password_hash: string | null;
}): boolean {
  return email_verified ?? (google_subject !== undefined && password_hash === null);
}
