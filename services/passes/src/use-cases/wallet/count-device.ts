import { createEvent } from '@laurel/events';
import { orStale, type Session } from '@laurel/mongo';
import type { WalletDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';

interface DeviceChange {
  pass: Pick<Pass, 'id' | 'workspace_id'>;
  wallet: 'apple' | 'google';
  by: 1 | -1;
}

/**
 * Counts a device that got or lost a pass, and tells of it with how many there are now: the first one is an
 * installation, the last one that goes ends it (part 3, section 10).
 */
export async function countDevice(
  deps: Pick<WalletDeps, 'installs' | 'passes' | 'outbox'>,
  { pass: { id: passId, workspace_id: workspaceId }, wallet, by }: DeviceChange,
  session: Session,
): Promise<void> {
  const pass = await deps.passes.find(workspaceId, passId, session);
  if (!pass) return;
  const added = deps.installs.add(workspaceId, { passId, wallet, by }, session);
  const installs = await orStale('the devices of the pass', added);
  const isOn = installs[wallet] > 0;
  if ((wallet === 'apple' ? pass.on_apple : pass.on_google) !== isOn) {
    const flag = wallet === 'apple' ? { on_apple: isOn } : { on_google: isOn };
    await deps.passes.replace({ ...pass, ...flag }, session);
  }
  const type = by === 1 ? 'passes.device_registered' : 'passes.device_unregistered';
  const data = {
    pass_id: passId,
    client_id: pass.client_id,
    wallet,
    device_count: installs.apple + installs.google,
  };
  await deps.outbox.append([createEvent(type, { workspaceId, subject: passId, data })], session);
}
