import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';

/** What a sign-in page may offer its visitor. It says nothing of any account. */
export async function getAuthOptions({
  config,
  google,
  users,
}: Deps): Promise<identity.AuthOptions> {
  return {
    registration: config.allowRegistration ? 'open' : 'invited',
    sso: google.isOn ? ['google'] : [],
    bootstrap_pending:
      config.bootstrapAdminEmail !== undefined && !(await users.hasAnyoneWithAccess()),
  };
}
