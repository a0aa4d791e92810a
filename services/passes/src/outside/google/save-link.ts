import { sign } from 'jsonwebtoken';
import type { GooglePass } from '../../domain/wallet/google-pass';
import type { GoogleCredentials } from '../credentials/types';

/**
 * The address that saves a pass to Google Wallet. The whole pass travels in the signed token, so that it works before
 * anything was sent to Google; `known` says that Google has it already, and keeps the link short.
 */
export function saveLink(
  { email, key }: GoogleCredentials,
  { kind, class: passClass, object }: GooglePass,
  { saveUrl, origin, known }: { saveUrl: string; origin: string; known: boolean },
): string {
  const payload = known
    ? { [`${kind}Objects`]: [{ id: object.id, classId: object.classId }] }
    : { [`${kind}Classes`]: [passClass], [`${kind}Objects`]: [object] };
  const claims = { iss: email, aud: 'google', typ: 'savetowallet', origins: [origin], payload };
  return `${saveUrl}/${sign(claims, key, { algorithm: 'RS256' })}`;
}
