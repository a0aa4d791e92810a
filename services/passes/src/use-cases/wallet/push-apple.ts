import type { WalletDeps } from '../../deps';
import { appleCircuit } from '../../outside/circuits';
import type { AppleCredentials, Trusted } from '../../outside/credentials/types';
import { removeRegistration } from './apple-devices';
import type { PassOnTemplate } from './find-signed-pass';
import { appleFiles, appleIssue, render } from './render';

const PUSHES_AT_ONCE = 16;

/**
 * Tells the devices that show something else than the pass does now. Whom a push is owed is kept with the registration:
 * a repeat after a failure reaches those that were not told, and nobody else. Those whose card is from before the links
 * were made anew hear nothing any more.
 */
export async function pushApple(
  deps: WalletDeps,
  on: PassOnTemplate,
  { isRepeat = false }: { isRepeat?: boolean } = {},
): Promise<void> {
  const { id: passId, workspace_id: workspaceId } = on.pass;
  for (const { deviceId } of await deps.registrations.listOfEarlier(on.pass))
    await removeRegistration(deps, on.pass, deviceId);
  if (!(await deps.registrations.isAnyOf(passId))) return;
  const credentials = await deps.credentials.apple(workspaceId);
  const circuit = appleCircuit(credentials);
  // A repeat was drawn and noted by the first try.
  if (isRepeat) deps.circuits.requireClosed(circuit);
  await markChanged(deps, on, credentials);
  const owed = credentials.trusted ? await deps.registrations.listOwed(passId) : [];
  for (let at = 0; at < owed.length; at += PUSHES_AT_ONCE) {
    const group = owed.slice(at, at + PUSHES_AT_ONCE);
    await Promise.all(
      group.map(async (device) => {
        const push = { pushToken: device.pushToken, topic: device.passType };
        const outcome = await deps.circuits.through(circuit, () =>
          deps.applePush.send(credentials, push),
        );
        if (outcome === 'gone') await removeRegistration(deps, on.pass, device.deviceId);
        else await deps.registrations.settle(device);
      }),
    );
  }
}

async function markChanged(
  deps: WalletDeps,
  { pass, template }: PassOnTemplate,
  credentials: Trusted<AppleCredentials>,
): Promise<void> {
  const { workspace_id: workspaceId, id: passId } = pass;
  const view = await render(deps, template, pass);
  const issue = appleIssue(deps, credentials, { template, pass });
  const { digest } = await appleFiles(deps, view, issue, workspaceId);
  const now = deps.clock.now();
  await deps.contents.note(workspaceId, passId, digest, now);
  await deps.registrations.markChanged(passId, { digest, now, owed: credentials.trusted });
}
