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

/**
 * Whether all who can sign in have proven the address: no password opens an account that provider or operator
 * vouched for, or it was set after the proof. Where not, somebody else may know the password, though the address was
 * verified since by the link of the registration (docs/adr/0014).
 */
export function isPasswordProven(
  user: Parameters<typeof isAddressProven>[0] & { password_proven?: boolean },
): boolean {
  return isAddressProven(user) && (user.password_hash === null || user.password_proven === true);
}
