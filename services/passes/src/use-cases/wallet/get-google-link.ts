import type { passes as api } from '@laurel/rpc';
import type { WalletDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import { accountOf, isFormerObject, partsOfObjectId } from '../../domain/wallet/google-object-id';
import type { GooglePass } from '../../domain/wallet/google-pass';
import type { GoogleCredentials, Trusted } from '../../outside/credentials/types';
import { GoogleRefusal } from '../../outside/google/api';
import { saveLink } from '../../outside/google/save-link';
import { type KeptObject, UNSENT } from '../../store/google-objects';
import { digestOf, drawGooglePass } from './draw-google-pass';
import { findLivingPass } from './find-signed-pass';

/** Where those who follow the link of a pass save it to Google Wallet. */
export async function getGoogleLink(
  deps: WalletDeps,
  request: api.SignedPassRequest,
): Promise<api.Address> {
  const { pass, template } = await findLivingPass(deps, request);
  const sent = await deps.googleObjects.find(pass.workspace_id, pass.id);
  const credentials = await issuing(deps, pass, sent);
  const drawn = await drawGooglePass(deps, credentials, { pass, template, kind: sent?.kind });
  // The wallet update that follows the proof ends what Google still has; meanwhile the link carries the pass.
  const isRenewed =
    sent !== null &&
    isFormerObject(sent.objectId, pass) &&
    // What was issued by an account that is gone ends by no update: the new one takes its place.
    partsOfObjectId(sent.objectId).issuerId === credentials.issuerId;
  const outcome =
    credentials.trusted && !isRenewed && (await tellGoogle(deps, credentials, { pass, drawn }));
  const known = outcome === 'taken';
  if (outcome === 'unknown' || (outcome === 'refused' && !isOfAnother(sent, credentials)))
    await oweGoogle(deps, pass, drawn);
  const { origin } = new URL(deps.publicUrl);
  return { url: saveLink(credentials, drawn, { saveUrl: deps.googleSaveUrl, origin, known }) };
}

/** A pass stays with whom it was issued by, as long as that account is there: a phone that saved it hears by no other. */
async function issuing(
  { credentials }: WalletDeps,
  { workspace_id: workspaceId }: Pass,
  sent: KeptObject | null,
): Promise<Trusted<GoogleCredentials>> {
  const accounts = sent ? await credentials.googleAccounts(workspaceId) : [];
  const account = sent ? accountOf(sent.objectId, accounts) : undefined;
  return account ? { ...account, trusted: true } : credentials.google(workspaceId);
}

/**
 * Where Google did not say that it took it, the link carries the pass as it is now: Google is given it later, or a card that is
 * saved by this link would never hear of a change. It may have taken it, too, after what a push gave it meanwhile.
 */
async function oweGoogle(deps: WalletDeps, pass: Pass, drawn: GooglePass): Promise<void> {
  await noteAtGoogle(deps, pass, { drawn, digest: UNSENT });
  await deps.passUpdates.remind(pass.workspace_id, pass.id, deps.clock.now());
}

/**
 * Whether Google has the card by another issuer. That one stays noted where Google refuses the one in use, or a slip in its
 * name would be the end of the cards that people have.
 */
const isOfAnother = (sent: KeptObject | null, { issuerId }: GoogleCredentials): boolean =>
  sent !== null && partsOfObjectId(sent.objectId).issuerId !== issuerId;

/** Gives Google the pass beforehand, which keeps the link short; without it the link carries the pass. */
async function tellGoogle(
  deps: WalletDeps,
  credentials: GoogleCredentials,
  { pass, drawn }: { pass: Pass; drawn: GooglePass },
): Promise<'taken' | 'refused' | 'unknown'> {
  try {
    await deps.googleApi.put(credentials, drawn);
  } catch (error) {
    deps.logger.warn({ err: error, pass_id: pass.id }, 'Google does not take a pass');
    return error instanceof GoogleRefusal && error.isFinal ? 'refused' : 'unknown';
  }
  await noteAtGoogle(deps, pass, { drawn, digest: digestOf(drawn) });
  // What changed since the pass was drawn went to Google before this did, or nowhere, since no row said that Google has it.
  const asked = { passIds: [pass.id], now: deps.clock.now() };
  await deps.passUpdates.ask(pass.workspace_id, asked);
  return 'taken';
}

/** Notes what Google has; a push is to be asked for after that. */
async function noteAtGoogle(
  deps: WalletDeps,
  { id: passId, workspace_id: workspaceId, notification, notification_count }: Pass,
  { drawn: { kind, object }, digest }: { drawn: GooglePass; digest: string },
): Promise<void> {
  const columns = { kind, objectId: object.id, digest, notification };
  const notificationCount = notification_count;
  await deps.googleObjects.put({ workspaceId, passId, ...columns, notificationCount });
}
