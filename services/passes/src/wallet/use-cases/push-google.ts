import { stableId } from '@laurel/lifecycle';
import { retiredPass } from '../../core/domain/retirement';
import { googleCircuit } from '../circuits';
import type { GoogleCredentials } from '../credentials/types';
import type { WalletsDeps } from '../deps';
import { digestOf, drawGooglePass, isFormerObject } from '../google/draw';
import type { GoogleObject } from '../store/google-objects';
import { emptyCard, type PassOnTemplate } from './find-signed-pass';
import { noteGoogleInstall } from './note-google-install';

/** Sends Google what changed of a pass that it has, and the text that phones are to show when there is a new one. */
export async function pushGoogle(
  deps: WalletsDeps,
  { pass, template }: PassOnTemplate,
  { isRepeat = false }: { isRepeat?: boolean } = {},
): Promise<void> {
  const { id: passId, workspace_id: workspaceId, notification, notification_count: count } = pass;
  const known = await deps.googleObjects.find(workspaceId, passId);
  if (!known) return;
  const credentials = await deps.credentials.google(workspaceId);
  if (!credentials.trusted) return;
  const circuit = googleCircuit(credentials);
  if (isRepeat) deps.circuits.requireClosed(circuit);
  if (isFormerObject(known.objectId, pass))
    await endFormerObject(deps, { pass, template }, { credentials, known });
  const drawn = await drawGooglePass(deps, credentials, { pass, template, kind: known.kind });
  const digest = digestOf(drawn);
  const isNews =
    !!notification && (notification !== known.notification || count !== known.notificationCount);
  if (digest === known.digest && !isNews) return;
  if (pass.retired)
    await deps.circuits.through(circuit, () => deps.googleApi.end(credentials, drawn));
  else if (digest !== known.digest) {
    const { hasUsers } = await deps.circuits.through(circuit, () =>
      deps.googleApi.put(credentials, drawn),
    );
    if (hasUsers) await noteGoogleInstall(deps, pass, true);
  }
  if (isNews) {
    const id = stableId(`${passId}:${notification}:${count}`);
    const message = { id, header: template.name, body: notification };
    await deps.circuits.through(circuit, () => deps.googleApi.notify(credentials, drawn, message));
  }
  const { kind, object } = drawn;
  const columns = { kind, objectId: object.id, digest, notification, notificationCount: count };
  await deps.googleObjects.put({ workspaceId, passId, ...columns });
}

/**
 * Ends what Google has of a pass under an earlier name, on every phone that saved it: it shows nothing of anybody any
 * more and is expired. Repeating it changes nothing.
 */
export async function endFormerObject(
  deps: WalletsDeps,
  { pass, template }: PassOnTemplate,
  { credentials, known }: { credentials: GoogleCredentials; known: GoogleObject },
): Promise<void> {
  const empty = emptyCard(retiredPass(pass, template, deps.clock.now()));
  const { kind, object } = await drawGooglePass(deps, credentials, { ...empty, kind: known.kind });
  const ended = { ...object, id: known.objectId, state: 'EXPIRED' };
  await deps.circuits.through(googleCircuit(credentials), () =>
    deps.googleApi.end(credentials, { kind, object: ended }),
  );
  await noteGoogleInstall(deps, pass, false);
}
