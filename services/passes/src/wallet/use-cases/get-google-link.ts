import type { passes as api } from '@laurel/rpc';
import type { GoogleCredentials } from '../credentials/types';
import type { WalletsDeps } from '../deps';
import type { GooglePass } from '../domain/google-pass';
import { digestOf, drawGooglePass, isFormerObject } from '../google/draw';
import { saveLink } from '../google/save-link';
import type { GoogleObject } from '../store/google-objects';
import { findLivingPass, type PassOnTemplate } from './find-signed-pass';
import { endFormerObject } from './push-google';

/** Where whoever follows the link of a pass saves it to Google Wallet. */
export async function getGoogleLink(
  deps: WalletsDeps,
  request: api.SignedPassRequest,
): Promise<api.Address> {
  const { pass, template } = await findLivingPass(deps, request);
  const credentials = await deps.credentials.google(pass.workspace_id);
  const sent = await deps.googleObjects.find(pass.workspace_id, pass.id);
  const drawn = await drawGooglePass(deps, credentials, { pass, template, kind: sent?.kind });
  const known =
    credentials.trusted && (await tellGoogle(deps, credentials, { pass, template, drawn, sent }));
  const { origin } = new URL(deps.publicUrl);
  return { url: saveLink(credentials, drawn, { saveUrl: deps.googleSaveUrl, origin, known }) };
}

/** Gives Google the pass beforehand, which keeps the link short; without it the link carries the pass. */
async function tellGoogle(
  deps: WalletsDeps,
  credentials: GoogleCredentials,
  {
    pass,
    template,
    drawn,
    sent,
  }: PassOnTemplate & { drawn: GooglePass; sent: GoogleObject | null },
): Promise<boolean> {
  try {
    if (sent && isFormerObject(sent.objectId, pass))
      await endFormerObject(deps, { pass, template }, { credentials, known: sent });
    await deps.googleApi.put(credentials, drawn);
  } catch (error) {
    deps.logger.warn({ err: error, pass_id: pass.id }, 'Google does not take a pass');
    return false;
  }
  const { id: passId, workspace_id: workspaceId, notification } = pass;
  const notificationCount = pass.notification_count;
  const { kind, object } = drawn;
  const now = {
    kind,
    objectId: object.id,
    digest: digestOf(drawn),
    notification,
    notificationCount,
  };
  await deps.googleObjects.put({ workspaceId, passId, ...now });
  return true;
}
