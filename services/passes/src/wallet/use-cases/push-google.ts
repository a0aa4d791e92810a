import { stableId } from '@laurel/lifecycle';
import type { WalletsDeps } from '../deps';
import { digestOf, drawGooglePass } from '../google/draw';
import type { PassOnTemplate } from './find-signed-pass';
import { noteGoogleInstall } from './note-google-install';

/** Sends Google what changed of a pass that it has, and the text that phones are to show when there is a new one. */
export async function pushGoogle(
  deps: WalletsDeps,
  { pass, template }: PassOnTemplate,
): Promise<void> {
  const { id: passId, workspace_id: workspaceId, notification } = pass;
  const known = await deps.googleObjects.find(workspaceId, passId);
  if (!known) return;
  const credentials = await deps.credentials.google(workspaceId);
  if (!credentials.trusted) return;
  const drawn = await drawGooglePass(deps, credentials, { pass, template });
  const digest = digestOf(drawn);
  const isNews =
    notification !== null && notification !== '' && notification !== known.notification;
  if (digest === known.digest && !isNews) return;
  if (digest !== known.digest) {
    const { hasUsers } = await deps.googleApi.put(credentials, drawn);
    if (hasUsers) await noteGoogleInstall(deps, pass, true);
  }
  if (isNews) {
    const id = stableId(`${passId}:${notification}:${pass.date_updated.toISOString()}`);
    const message = { id, header: template.name, body: notification };
    await deps.googleApi.notify(credentials, drawn, message);
  }
  const { kind, object } = drawn;
  const columns = { kind, objectId: object.id, digest, notification };
  await deps.googleObjects.put({ workspaceId, passId, ...columns });
}
