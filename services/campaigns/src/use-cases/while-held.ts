import { type Session, unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { Renewal } from '../store/campaigns';

/**
 * Writes in one transaction with the proof that the work is still ours and the campaign active. False when it is not:
 * nothing was written then.
 */
export function whileHeld(
  { connection, campaigns }: Pick<Deps, 'connection' | 'campaigns'>,
  renewal: Renewal,
  write: (session: Session) => Promise<void>,
): Promise<boolean> {
  return unitOfWork(connection, async (session) => {
    if (!(await campaigns.hold(renewal, session))) return false;
    await write(session);
    return true;
  });
}
