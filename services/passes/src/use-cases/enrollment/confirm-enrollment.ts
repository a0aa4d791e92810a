import { digestToken } from '@laurel/auth-cache';
import { currentContext, stableId } from '@laurel/lifecycle';
import { isDuplicateKey, unitOfWork } from '@laurel/mongo';
import type { passes as api, clients as clientsApi } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import type { Distribution } from '../../domain/distribution/distribution';
import {
  answersToConfirm,
  type Confirmation,
  confirmedEnrollment,
} from '../../domain/enrollment/confirmation';
import type { Enrollment } from '../../domain/enrollment/enrollment';
import { refusals } from '../../refusals';
import { driveEnrollment } from './drive-enrollment';
import { wasEnrolled } from './enroll-client';
import { formBehind } from './find-form';
import { presentEnrollment } from './present-enrollment';

type Deps = Pick<EnrollmentDeps, 'confirmations' | 'distributions' | 'clock'>;

/**
 * Does what a form asked, now that somebody with the mailbox says that it was them: completes the client, gives the pass.
 * One link does it once. Its repeat within ten minutes, and a press at the same moment, hears that it is done,
 * but not what opens the account: that goes to one answer alone, of the press that ended it.
 */
export async function confirmEnrollment(
  deps: EnrollmentDeps,
  { token_sha256 }: api.ConfirmationDoor,
): Promise<api.Enrollment> {
  const { confirmation, distribution } = await findConfirmation(deps, token_sha256);
  // A repeat, too: it proves the address, which may be another one since.
  const client = await requireReached(deps, confirmation);
  const texted = wasTexted(confirmation, client);
  // Before anything is begun, which would go on by itself: where clients cannot say, the link stays good.
  const { isOpening, ...proof } = texted
    ? await noteReached(deps, confirmation, client)
    : await noteProof(deps, confirmation);
  const enrollment = await beginConfirmed(deps, { ...confirmation, texted }, client);
  const done = await driveEnrollment(deps, distribution, enrollment);
  const isRepeat = done.ended_by !== currentContext().operationId;
  const isOpened =
    isOpening && !isRepeat && (!texted || (await handOut(deps, confirmation, client)));
  return presentEnrollment(deps, done, { isClosed: !isOpened, ...proof });
}

/** Of a link from before that was kept: it did unless it went to the address that the client has, since it went to one of both. */
const wasTexted = ({ texted, sent_to }: Confirmation, { email }: clientsApi.Client): boolean =>
  texted ?? (sent_to !== undefined && !(email && digestToken(email) === sent_to));

/** What it says of the one who pressed the button of a link. */
interface Pressed {
  /** Whether they may get into the account. */
  isOpening: boolean;
  /** Since when the client's e-mail address is proven, in milliseconds, where the link proves it. */
  provenAt?: number;
}

/**
 * A phone is never proven (docs/adr/0014): who has the number gets what a form gives somebody new, until an e-mail address
 * is proven or the number is another one. Where an address is proven already they get nothing more.
 */
async function noteReached(
  deps: EnrollmentDeps,
  { workspace_id, client_id }: Confirmation,
  { phone }: clientsApi.Client,
): Promise<Pressed> {
  const reached = { workspace_id, client_id, phone: phone ?? '' };
  return { isOpening: (await deps.enrollees.NoteReachedPhone(reached)).opens };
}

/**
 * What passes the client has are in the hands of who is let in by a number, also those that the workspace made: all of them end
 * with the first proof, as do those that it makes later (`ProvenClient.shownUntil`). Returns whether the number still lets them in.
 */
async function handOut(
  deps: EnrollmentDeps,
  confirmation: Confirmation,
  client: clientsApi.Client,
): Promise<boolean> {
  const { workspace_id, client_id } = confirmation;
  await unitOfWork(deps.connection, (session) =>
    deps.passes.handOut(workspace_id, client_id, session),
  );
  // A proof between the press and this note ended none of them.
  return (await noteReached(deps, confirmation, client)).isOpening;
}

/** The link proves the address. Others who used it before lose what they got: their session, and the links of the passes. */
async function noteProof(
  deps: EnrollmentDeps,
  { workspace_id, client_id }: Confirmation,
): Promise<Pressed> {
  const proof = await deps.enrollees.NoteAddressProof({ workspace_id, client_id });
  // The event of the proof does the same; the links in the answer must be the new ones already.
  const { proven_at: provenAt, came_by_form: cameByForm } = proof;
  // Clients of the release before say it once.
  const wasReached = proof.reached_before ?? proof.was_reached;
  const shownUntil = wasReached ? new Date(provenAt) : undefined;
  const whose = { workspaceId: workspace_id, clientId: client_id, cameByForm, shownUntil };
  await unitOfWork(deps.connection, (session) => deps.renewLinks(whose, session));
  return { isOpening: true, provenAt };
}

/** What a link is about, for the one who opened it. Changes nothing: mail scanners open links, too. */
export async function getEnrollmentConfirmation(
  deps: EnrollmentDeps,
  { token_sha256 }: api.ConfirmationDoor,
): Promise<api.Confirmation> {
  const { confirmation, distribution } = await findConfirmation(deps, token_sha256);
  if (confirmation.input === null) throw refusals.confirmationEnded({ field: 'token' });
  // The mailbox may be somebody else's by now: what was filled in is as little theirs as the pass.
  await requireReached(deps, confirmation);
  const { form, workspace, privacyUrl: privacy_url } = await formBehind(deps, distribution);
  const { language: locale, ...named } = workspace;
  const { terms_url } = distribution;
  return {
    workspace: { ...named, locale },
    ...answersToConfirm(confirmation.input, form.fields),
    privacy_url,
    terms_url,
  };
}

/**
 * Refuses a link that is unknown, has expired, or whose form was taken down. One that was sent in time still holds when
 * the form's time is over or its limit is reached.
 */
async function findConfirmation(
  { confirmations, distributions, clock }: Deps,
  tokenSha256: string,
): Promise<{ confirmation: Confirmation; distribution: Distribution }> {
  const confirmation = await confirmations.findByToken(tokenSha256);
  if (!confirmation || confirmation.expires_at <= clock.now())
    throw refusals.confirmationEnded({ field: 'token' });
  const { workspace_id: workspaceId, distribution_id } = confirmation;
  const distribution = await distributions.find(workspaceId, distribution_id);
  if (distribution?.status !== 'active') throw refusals.enrollmentClosed();
  return { confirmation, distribution };
}

/** The client of a link. The mailbox, or the number, that it went to must still be theirs. */
async function requireReached(
  { enrollees }: Pick<EnrollmentDeps, 'enrollees'>,
  { workspace_id, client_id, sent_to }: Confirmation,
): Promise<clientsApi.Client> {
  const request = { workspace_id, ids: [client_id] };
  const [client] = (await enrollees.GetClients(request)).clients;
  const addresses = [client?.email, client?.phone];
  const isReached = addresses.some((address) => address && digestToken(address) === sent_to);
  if (!client || client.status === 'anonymized' || !(isReached || sent_to === undefined))
    throw refusals.confirmationEnded({ field: 'token' });
  return client;
}

async function beginConfirmed(
  deps: EnrollmentDeps,
  confirmation: Confirmation,
  client: clientsApi.Client,
): Promise<Enrollment> {
  const { enrollments, clock, abandonedMs } = deps;
  const { workspace_id: workspaceId, token_sha256, input } = confirmation;
  const id = stableId(`enrollment-confirmation:${token_sha256}`);
  const begun = await enrollments.find(workspaceId, id);
  if (begun) return begun;
  if (input === null) throw refusals.confirmationEnded({ field: 'token' });
  const now = clock.now();
  const begins = { id, now, dueAt: new Date(now.getTime() + abandonedMs) };
  const facts = { input, was_enrolled: wasEnrolled(client) };
  const enrollment = confirmedEnrollment(begins, confirmation, facts);
  try {
    await enrollments.insert(enrollment);
    return enrollment;
  } catch (error) {
    const first = isDuplicateKey(error) ? await enrollments.find(workspaceId, id) : null;
    if (!first) throw error;
    return first;
  }
}
