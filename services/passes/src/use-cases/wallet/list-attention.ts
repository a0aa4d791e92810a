import type { common } from '@laurel/rpc';
import type { WalletDeps } from '../../deps';

const DAY_MS = 86_400_000;
/** Apple takes a few days to issue the next one, and somebody has to ask for it. */
const AHEAD_MS = 30 * DAY_MS;

/** A certificate of the workspace that will soon sign no passes any more. */
export async function listAttention(
  { clock, credentials }: Pick<WalletDeps, 'clock' | 'credentials'>,
  { workspace_id: workspaceId }: common.AttentionRequest,
): Promise<common.AttentionList> {
  const certificate = await credentials.ownCertificate(workspaceId);
  if (!certificate) return { items: [] };
  const { passTypeIdentifier, validUntil } = certificate;
  const leftMs = validUntil.getTime() - clock.now().getTime();
  if (leftMs > AHEAD_MS) return { items: [] };
  return {
    items: [
      {
        kind: 'certificate_expiring',
        severity: leftMs <= 0 ? 'error' : 'warning',
        count: Math.max(0, Math.floor(leftMs / DAY_MS)),
        since: new Date(validUntil.getTime() - AHEAD_MS).toISOString(),
        subject_type: 'wallet_credentials',
        subject_id: 'apple',
        subject_name: passTypeIdentifier,
      },
    ],
  };
}
