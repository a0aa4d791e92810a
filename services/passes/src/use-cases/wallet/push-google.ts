import { stableId } from '@laurel/lifecycle';
import type { PushDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import { type PushText, textsOf } from '../../domain/pass/push-texts';
import { retiredPass } from '../../domain/pass/retirement';
import { accountOf, isFormerObject, partsOfObjectId } from '../../domain/wallet/google-object-id';
import { nameAtGoogle } from '../../domain/wallet/google-pass';
import { googleCircuit } from '../../outside/circuits';
import type { GoogleCredentials } from '../../outside/credentials/types';
import { GoogleAccountRefusal } from '../../outside/google/api';
import type { KeptObject } from '../../store/google-objects';
import { digestOf, drawGooglePass } from './draw-google-pass';
import { emptyCard, type PassOnTemplate, type PassToPush } from './find-signed-pass';
import { noteGoogleInstall, noteGoogleUsers } from './note-google-install';
import { EndedAccount, NotTrusted, type PushedTogether } from './push-failures';

/** Sends Google what changed of the passes of a workspace that it has, and the texts that phones are to show where there are new ones. */
export async function pushGoogle(
  deps: PushDeps,
  workspaceId: string,
  { passes, pushing }: PushedTogether,
): Promise<void> {
  const passIds = passes.map(({ pass }) => pass.id);
  const atGoogle = await deps.googleObjects.findMany(workspaceId, passIds);
  if (atGoogle.size === 0) return;
  const accounts = await deps.credentials.googleAccounts(workspaceId);
  await Promise.all(
    passes.map((pass) => {
      const known = atGoogle.get(pass.pass.id);
      if (!known) return undefined;
      return pushing.of(known.passId, async () => {
        const credentials = requireAccount(known, accounts);
        const unheard = unheardTexts(pass.pass, known);
        const isSent = await push(deps, pass, { credentials, known, text: unheard[0] });
        if (isSent) pushing.sent.add(known.passId);
        if (unheard.length > 1) pushing.texts.set(known.passId, unheard[0]!.count);
      });
    }),
  );
}

function requireAccount(
  { objectId }: KeptObject,
  accounts: readonly GoogleCredentials[],
): GoogleCredentials {
  const account = accountOf(objectId, accounts);
  if (!account) throw new NotTrusted('google', partsOfObjectId(objectId).issuerId);
  return account;
}

/** Google hears one text with each push: two at once would be one push more than phones are to get in five seconds. */
function unheardTexts(pass: Pass, { notification, notificationCount }: KeptObject): PushText[] {
  const isUnheard = ({ text, count }: PushText) =>
    // Of texts from before they were counted one is another that says something else.
    count > notificationCount || (count === notificationCount && text !== notification);
  return textsOf(pass).filter(isUnheard);
}

interface AtGoogle {
  credentials: GoogleCredentials;
  known: KeptObject;
}

/** Whether Google was sent anything. */
async function push(
  deps: PushDeps,
  { pass, template, isRepeat }: PassToPush,
  { credentials, known, text }: AtGoogle & { text: PushText | undefined },
): Promise<boolean> {
  const { id: passId, workspace_id: workspaceId } = pass;
  if (isRepeat) deps.circuits.requireClosed(googleCircuit(credentials));
  const isFormer = isFormerObject(known.objectId, pass);
  if (isFormer) await endFormerObject(deps, { pass, template }, { credentials, known });
  const drawn = await drawGooglePass(deps, credentials, { pass, template, kind: known.kind });
  const digest = digestOf(drawn);
  if (digest === known.digest && !text) return false;
  if (pass.retired)
    await send(deps, { credentials, known }, () => deps.googleApi.end(credentials, drawn));
  else if (digest !== known.digest) {
    const { hasUsers } = await send(deps, { credentials, known }, () =>
      deps.googleApi.put(credentials, drawn),
    );
    if (hasUsers && (isFormer || !pass.on_google)) await noteGoogleUsers(deps, known);
  }
  if (text) {
    const id = stableId(`${passId}:${text.text}:${text.count}`);
    const message = { id, header: nameAtGoogle(template), body: text.text };
    await send(deps, { credentials, known }, () =>
      deps.googleApi.notify(credentials, drawn, message),
    );
  }
  const { kind, object } = drawn;
  const shown = text ? { notification: text.text, notificationCount: text.count } : lastOf(pass);
  const columns = { kind, objectId: object.id, digest, ...shown };
  await deps.googleObjects.putAfter(known, { workspaceId, passId, ...columns });
  return true;
}

const lastOf = ({ notification, notification_count: notificationCount }: Pass) => ({
  notification,
  notificationCount,
});

async function send<T>(
  { circuits, windows }: PushDeps,
  { credentials, known: { workspaceId } }: AtGoogle,
  request: () => Promise<T>,
): Promise<T> {
  const circuit = googleCircuit(credentials);
  try {
    return await windows.through(`${workspaceId} ${circuit}`, () =>
      circuits.through(circuit, request),
    );
  } catch (error) {
    if (error instanceof GoogleAccountRefusal && error.isFinal)
      throw new EndedAccount(credentials.issuerId);
    throw error;
  }
}

/**
 * Ends what Google has of a pass under an earlier name, on every phone that saved it: it shows nothing of anybody any
 * more and is expired. Repeating it changes nothing.
 */
async function endFormerObject(
  deps: PushDeps,
  { pass, template }: PassOnTemplate,
  { credentials, known }: AtGoogle,
): Promise<void> {
  const empty = emptyCard(retiredPass(pass, template, deps.clock.now()));
  const { kind, object } = await drawGooglePass(deps, credentials, { ...empty, kind: known.kind });
  const ended = { ...object, id: known.objectId, state: 'EXPIRED' };
  await send(deps, { credentials, known }, () =>
    deps.googleApi.end(credentials, { kind, object: ended }),
  );
  await noteGoogleInstall(deps, pass, false);
}
