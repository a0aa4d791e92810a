import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireGoodPassword } from '../domain/password';
import { refusals } from '../refusals';
import { toUser } from '../store/mapping';

/** Opens an account. Refuses while registration is closed, on a poor password and on a taken address. */
export async function register(
  { config, connection, users, passwords, clock }: Deps,
  { email, password, first_name, last_name }: identity.RegisterRequest,
): Promise<identity.User> {
  if (!config.allowRegistration) throw refusals.registrationClosed();
  requireGoodPassword(password);
  const passwordHash = await passwords.hash(password);
  const id = newId();
  return commitOnce(connection, async (session) => {
    const user = {
      _id: id,
      email: email.trim(),
      first_name: first_name ?? null,
      last_name: last_name ?? null,
      password_hash: passwordHash,
    };
    return toUser(await users.insert(user, clock.now(), session));
  });
}
