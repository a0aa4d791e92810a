import type { Tokens } from '@laurel/auth-cache';
import type { MessageQueue } from '@laurel/mail';
import type { Connection, Session } from '@laurel/mongo';
import type { RpcClient } from '@laurel/rpc';
import type { CoreDeps } from '../core/deps';
import type { ProvenClient } from '../core/domain/pass';
import { createConfirmationStore } from './store/confirmations';
import { createDistributionStore } from './store/distributions';
import { createEnrollmentMailStore } from './store/enrollment-mails';
import { createEnrollmentStore } from './store/enrollments';
import { createResendStore } from './store/resends';
import { createSubmissionStore } from './store/submissions';

/** The stores of enrollment, made once over the service's own database. */
export function createEnrollmentStores(connection: Connection) {
  return {
    distributions: createDistributionStore(connection),
    enrollments: createEnrollmentStore(connection),
    enrollmentMails: createEnrollmentMailStore(connection),
    confirmations: createConfirmationStore(connection),
    resends: createResendStore(connection),
    submissions: createSubmissionStore(connection),
  };
}

/** What enrollment has besides what `core/` has. */
export type EnrollmentOwn = ReturnType<typeof createEnrollmentStores> & {
  messages: Pick<MessageQueue, 'enqueue' | 'removeAll' | 'job'>;
  tokens: Tokens;
  enrollees: Pick<
    RpcClient<'clients'>,
    | 'FindClientBy'
    | 'CreateClient'
    | 'UpdateClient'
    | 'GetClients'
    | 'ListFields'
    | 'NoteAddressProof'
  >;
  /** Makes the links of a client's passes anew, once their address is proven. */
  renewLinks(whose: ProvenClient, session: Session): Promise<void>;
  /** After this long nobody is expected to be at an enrollment any more. */
  abandonedMs: number;
};

export type EnrollmentDeps = CoreDeps & EnrollmentOwn;
