import { Refusal } from '@laurel/errors';
import type { clients } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import {
  completionOf,
  type EnrolledClient,
  type Enrollment,
  type EnrollmentInput,
  FORM_SOURCE,
} from '../../domain/enrollment/enrollment';
import type { Applicant } from '../../domain/enrollment/form';
import { refusals } from '../../refusals';
import { inOperation } from './in-operation';

type Deps = Pick<EnrollmentDeps, 'enrollees' | 'enrollments'>;

/**
 * The client that the form is about: found by e-mail, then by a phone that the workspace has noted, else created as a loyalty member. Who was there
 * before stays as they are until they confirmed the form; then they are a member, with what was still missing.
 */
export async function enrollClient(
  deps: Deps,
  enrollment: Enrollment,
  input: EnrollmentInput,
): Promise<EnrolledClient> {
  const client = enrollment.client ?? (await findOrCreate(deps, enrollment, input));
  await deps.enrollments.advance(enrollment.workspace_id, enrollment.id, { client });
  if (client.known && enrollment.confirms !== null)
    await complete(deps, enrollment, { id: client.id, input });
  return client;
}

async function findOrCreate(
  deps: Deps,
  enrollment: Enrollment,
  { applicant, consent_text }: EnrollmentInput,
): Promise<EnrolledClient> {
  const { id, workspace_id: workspaceId } = enrollment;
  const holders = await holdersOf(deps, workspaceId, applicant);
  if (!enrollment.makes_client) {
    const known = knownAmong(holders);
    if (known) return asKnown(known);
    await deps.enrollments.advance(workspaceId, id, { makes_client: true });
  }
  // A number that somebody else has leads to one person alone.
  const phone = holders.ofPhone ? null : applicant.phone;
  const request = newClientOf(workspaceId, { ...applicant, phone }, consent_text);
  try {
    const created = await inOperation(enrollment, 'client', () =>
      deps.enrollees.CreateClient(request),
    );
    return { id: created.id, known: false, was_enrolled: false };
  } catch (error) {
    // Somebody else may have taken the address at this moment; then they were there before.
    const known = isTaken(error)
      ? knownAmong(await holdersOf(deps, workspaceId, applicant))
      : undefined;
    if (!known) throw error;
    return asKnown(known);
  }
}

/** Who has the address and the number of a form. */
interface Holders {
  ofEmail: clients.Client | undefined;
  ofPhone: clients.Client | undefined;
}

async function holdersOf(
  { enrollees }: Pick<Deps, 'enrollees'>,
  workspace_id: string,
  { email, phone }: Applicant,
): Promise<Holders> {
  const [ofEmail, ofPhone] = await Promise.all([
    enrollees.FindClientBy({ workspace_id, email }),
    phone === null ? null : enrollees.FindClientBy({ workspace_id, phone }),
  ]);
  return { ofEmail: ofEmail.client, ofPhone: ofPhone?.client };
}

/**
 * On enrollment e-mail decides over phone when they name two people (part 3, section 16). A number that its holder typed
 * into a form themselves decides nothing: it may be anybody's, and who has it would get the answers of another person
 * in a mail. One that the workspace has noted leads to its client.
 */
function knownAmong({ ofEmail, ofPhone }: Holders): clients.Client | undefined {
  return ofEmail ?? (ofPhone?.source === FORM_SOURCE ? undefined : ofPhone);
}

function asKnown(client: clients.Client): EnrolledClient {
  return { id: client.id, known: true, was_enrolled: wasEnrolled(client) };
}

/** Whether no referral can bring them anew. */
export const wasEnrolled = ({ status, loyalty_program_enabled }: clients.Client): boolean =>
  loyalty_program_enabled || status !== 'active';

function newClientOf(
  workspace_id: string,
  { marketing_consent, ...applicant }: Applicant,
  consentText: string | null,
): clients.CreateClientRequest {
  return {
    workspace_id,
    ...applicant,
    ...(marketing_consent === undefined
      ? {}
      : { marketing_consent, marketing_consent_text: consentText }),
    source: FORM_SOURCE,
    consent_source: FORM_SOURCE,
    loyalty_program_enabled: true,
  };
}

/** Completes a client that was there before, by what is still missing at this moment. */
async function complete(
  { enrollees }: Pick<Deps, 'enrollees'>,
  enrollment: Enrollment,
  { id, input }: { id: string; input: EnrollmentInput },
): Promise<void> {
  const { workspace_id } = enrollment;
  const [client] = (await enrollees.GetClients({ workspace_id, ids: [id] })).clients;
  if (!client || client.status === 'anonymized')
    throw refusals.confirmationEnded({ field: 'token' });
  const changes = completionOf(client, input.applicant, input.consent_text);
  if (changes.phone !== undefined) {
    const { client: holder } = await enrollees.FindClientBy({ workspace_id, phone: changes.phone });
    // A number leads to one person alone.
    if (holder && holder.id !== id) delete changes.phone;
  }
  if (Object.keys(changes).length === 0) return;
  await inOperation(enrollment, 'completion', () =>
    enrollees.UpdateClient({ workspace_id, id, ...changes, change_source: FORM_SOURCE }),
  );
}

function isTaken(error: unknown): boolean {
  return error instanceof Refusal && error.problems.some(({ field }) => field === 'email');
}
