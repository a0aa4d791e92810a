import { createTokens } from '@laurel/auth-cache';
import type { Backend, ConsumerSpec } from '@laurel/backend';
import { Joi, setting } from '@laurel/config';
import { createMessageQueue, createTransports, messageIndexes } from '@laurel/mail';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import type { Handlers } from '@laurel/rpc';
import type { Job } from '@laurel/work';
import type { settings } from '../config';
import type { Belongings, CoreDeps } from '../core/deps';
import { createEnrollmentStores, type EnrollmentOwn } from './deps';
import { confirmationIndexes } from './store/confirmations';
import { distributionIndexes } from './store/distributions';
import { enrollmentMailIndexes } from './store/enrollment-mails';
import { enrollmentIndexes as enrollmentRowIndexes } from './store/enrollments';
import { resendIndexes } from './store/resends';
import { submissionIndexes } from './store/submissions';
import { confirmEnrollment, getEnrollmentConfirmation } from './use-cases/confirm-enrollment';
import { createDistribution } from './use-cases/create-distribution';
import { deleteDistribution, deleteDistributionsOf } from './use-cases/delete-distribution';
import { getAllowedOrigins, getEnrollmentForm } from './use-cases/find-form';
import { forgetClient, moveClient } from './use-cases/follow-clients';
import { getDistributionQr } from './use-cases/get-distribution-qr';
import { getDistribution, listDistributions } from './use-cases/read-distributions';
import { removeWorkspace } from './use-cases/remove-workspace';
import { resendPass } from './use-cases/resend-pass';
import { rotateToken } from './use-cases/rotate-token';
import { submitEnrollment } from './use-cases/submit-enrollment';
import { sweepEnrollments } from './use-cases/sweep-enrollments';
import { updateDistribution } from './use-cases/update-distribution';

/** Longer than anybody waits for an answer. */
const ABANDONED_MS = 30_000;

/** What gives passes out: distributions, enrollment forms, the embeddable widget. */
export const enrollmentSettings = {
  jwtSecret: setting<string>(
    'JWT_SECRET',
    Joi.string().min(32).required(),
    'Key that signs and checks session tokens.',
    { secret: true },
  ),
} as const;

export const enrollmentIndexes: readonly CollectionIndexes[] = [
  distributionIndexes,
  enrollmentRowIndexes,
  confirmationIndexes,
  enrollmentMailIndexes,
  submissionIndexes,
  resendIndexes,
  messageIndexes,
];

export type EnrollmentDeps = EnrollmentOwn;

export function createEnrollmentDeps(
  connection: Connection,
  { config, logger, lifecycle, client }: Backend<typeof settings>,
): Omit<EnrollmentDeps, 'renewLinks'> {
  const transports = createTransports(config);
  lifecycle.onStop('mail', () => transports.close());
  return {
    ...createEnrollmentStores(connection),
    messages: createMessageQueue(connection, transports.deliver, logger),
    tokens: createTokens(config.jwtSecret),
    enrollees: client('clients', config.clientsTarget),
    abandonedMs: ABANDONED_MS,
  };
}

/** Distributions go with their project, and keep their template from being deleted. */
export const enrollmentBelongings = (
  deps: Omit<EnrollmentDeps, 'renewLinks'> & Pick<CoreDeps, 'outbox'>,
): Belongings => ({
  usersOfTemplate: async (workspaceId, templateId, session) => {
    const giving = await deps.distributions.namesOn(workspaceId, templateId, session);
    return giving.map(({ id, name }) => ({ type: 'distribution', id, name }));
  },
  moveToTemplate: (workspaceId, templateId, target, session) =>
    deps.distributions.moveToTemplate(workspaceId, templateId, target, session),
  removeOfProject: (workspaceId, projectId, session: Session) =>
    deleteDistributionsOf(deps, workspaceId, projectId, session),
  fieldsAsked: async (workspaceId) =>
    (await deps.distributions.list(workspaceId)).flatMap(({ form_fields_config }) =>
      form_fields_config.map(({ name }) => name.replace(/^custom_fields\./, '')),
    ),
});

export const enrollmentHandlers = (deps: CoreDeps & EnrollmentDeps) =>
  ({
    ListDistributions: (request) => listDistributions(deps, request),
    GetDistribution: (request) => getDistribution(deps, request),
    CreateDistribution: (request) => createDistribution(deps, request),
    UpdateDistribution: (request) => updateDistribution(deps, request),
    DeleteDistribution: (request) => deleteDistribution(deps, request),
    RotateDistributionToken: (request) => rotateToken(deps, request),
    GetDistributionQr: (request) => getDistributionQr(deps, request),
    GetEnrollmentForm: (request) => getEnrollmentForm(deps, request),
    GetAllowedOrigins: (request) => getAllowedOrigins(deps, request),
    ResendPass: (request) => resendPass(deps, request),
    SubmitEnrollment: (request) => submitEnrollment(deps, request),
    GetEnrollmentConfirmation: (request) => getEnrollmentConfirmation(deps, request),
    ConfirmEnrollment: (request) => confirmEnrollment(deps, request),
  }) satisfies Partial<Handlers<'passes'>>;

export const enrollmentConsumers = (deps: CoreDeps & EnrollmentDeps): ConsumerSpec[] => [
  {
    queue: 'passes.enrollment_workspaces',
    bindings: ['identity.workspace_deleted'],
    handle: (event) => removeWorkspace(deps, event.workspaceid!),
  },
  {
    queue: 'passes.enrollment_clients',
    bindings: ['clients.deleted', 'clients.anonymized', 'clients.merged'],
    handlers: {
      'clients.deleted': ({ workspaceid, data }, once) =>
        once((session) => forgetClient(deps, workspaceid!, data.client_id, session)),
      'clients.anonymized': ({ workspaceid, data }, once) =>
        once((session) => forgetClient(deps, workspaceid!, data.client_id, session)),
      'clients.merged': ({ workspaceid, data }, once) => {
        const { source_client_id: source, target_client_id: target } = data;
        return once((session) => moveClient(deps, workspaceid!, { source, target }, session));
      },
    },
  },
];

export const enrollmentJobs = (deps: CoreDeps & EnrollmentDeps): Job[] => [
  {
    name: 'sweep-enrollments',
    due: deps.enrollments.due,
    clock: deps.clock,
    work: () => sweepEnrollments(deps),
  },
  deps.messages.job,
];
