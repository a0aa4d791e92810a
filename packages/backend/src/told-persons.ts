import { erasePersonInOutbox, movePersonInOutbox } from '@laurel/events';
import {
  type Connection,
  type Erasure,
  erasePersonInOperations,
  type Merge,
  movePersonInOperations,
  type Session,
} from '@laurel/mongo';

/** Takes a person out of what a service told of them: its outbox, and answers to keys (docs/adr/0043). */
export async function erasePersonTold(
  connection: Connection,
  erasure: Pick<Erasure, 'workspaceId' | 'clientId'>,
  session?: Session,
): Promise<void> {
  await erasePersonInOutbox(connection, erasure, session);
  await erasePersonInOperations(connection, erasure, session);
}

/** What was told of a merged client goes with the target from now on. */
export async function movePersonTold(
  connection: Connection,
  merge: Merge,
  session?: Session,
): Promise<void> {
  await movePersonInOutbox(connection, merge, session);
  await movePersonInOperations(connection, merge, session);
}
