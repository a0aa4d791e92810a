import { commitOnce, type Session } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { WalletDeps } from '../../deps';
import { isFormerObject, partsOfObjectId } from '../../domain/wallet/google-object-id';
import type { KeptObject } from '../../store/google-objects';
import { countDevice } from './count-device';

/**
 * Google tells that somebody saved or deleted a pass. What it tells of passes that are gone is passed over, and so is what it
 * tells again after something later.
 */
export async function handleGoogleCallback(
  deps: WalletDeps,
  { signature, protocol_version, signed_message, signed_key, key_signatures }: api.GoogleCallback,
): Promise<Record<string, never>> {
  const callback = {
    signature,
    protocolVersion: protocol_version,
    signedMessage: signed_message,
    intermediateSigningKey: { signedKey: signed_key, signatures: key_signatures },
  };
  const heard = await deps.googleCallbacks.read(callback, deps.clock.now());
  const { objectId, eventType } = heard;
  const { issuerId, passId } = partsOfObjectId(objectId);
  const [pass] = await deps.passes.locate([passId]);
  if (!pass || !(await isIssuer(deps, pass.workspace_id, issuerId))) return {};
  // What becomes of an object of before says nothing about the one that the pass has now.
  if (isFormerObject(objectId, pass)) return {};
  const { id, workspace_id: workspaceId } = pass;
  return commitOnce(deps.connection, async (session) => {
    if (!(await deps.heededCallbacks.heed(workspaceId, heard, session))) return {};
    const message = { passId: id, expiresAt: heard.expiresAt };
    const isLatest = await deps.googleObjects.noteMessage(workspaceId, message, session);
    const isOn = eventType === 'save';
    if (isLatest) await setGoogleInstall(deps, { id, workspaceId, isOn }, session);
    return {};
  });
}

/** Counts Google Wallet as one device of the pass, however often Google says the same. */
export async function noteGoogleInstall(
  deps: WalletDeps,
  { id, workspace_id: workspaceId }: { id: string; workspace_id: string },
  isOn: boolean,
): Promise<void> {
  await commitOnce(deps.connection, async (session) => {
    await setGoogleInstall(deps, { id, workspaceId, isOn }, session);
    return {};
  });
}

/**
 * Counts Google Wallet where an answer of Google says that somebody has the card, unless it said otherwise since it was
 * asked: then the answer may be the older of both.
 */
export async function noteGoogleUsers(deps: WalletDeps, known: KeptObject): Promise<void> {
  const { workspaceId, passId: id } = known;
  await commitOnce(deps.connection, async (session) => {
    if (await deps.googleObjects.noteAnswer(known, session))
      await setGoogleInstall(deps, { id, workspaceId, isOn: true }, session);
    return {};
  });
}

async function setGoogleInstall(
  deps: WalletDeps,
  { id, workspaceId, isOn }: { id: string; workspaceId: string; isOn: boolean },
  session: Session,
): Promise<void> {
  const pass = await deps.passes.find(workspaceId, id, session);
  if (pass && pass.on_google !== isOn)
    await countDevice(deps, { pass, wallet: 'google', by: isOn ? 1 : -1 }, session);
}

/** A callback signed for one issuer says nothing about passes of another. */
async function isIssuer({ credentials }: WalletDeps, workspaceId: string, issuerId: string) {
  const [inUse, accounts] = await Promise.all([
    credentials.google(workspaceId),
    credentials.googleAccounts(workspaceId),
  ]);
  return [inUse, ...accounts].some((account) => account.issuerId === issuerId);
}
