import { Refusal } from '@laurel/errors';
import { currentContext } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import type { Outcome } from '../store/command';
import { findRepeat } from '../store/repeats';
import { externalClaim } from './operation';
import {
  findWalletType,
  type ResolvedWallet,
  resolveWallet,
  type WalletQuery,
  walletRef,
} from './resolve-wallet';

type Needs = Pick<Deps, 'standings' | 'walletTypes' | 'entries'>;

/** The names under which an operation takes effect once. */
export interface Once {
  operationId: string;
  kind: string;
  externalId?: string | undefined;
}

/** Does something on the wallet that a request names, unless it was done before (`resolvedOrRepeated`). */
export async function onWallet(
  deps: Needs,
  { query, once }: { query: WalletQuery; once: Once },
  perform: (wallet: ResolvedWallet) => Promise<Outcome | null>,
): Promise<Outcome | null> {
  const found = await resolvedOrRepeated(deps, query, once);
  return 'ref' in found ? perform(found) : found;
}

/**
 * The wallet that a request names. What refuses the request before the log sees it (the client was merged, erased or
 * anonymized, the wallet type is no longer active) does not refuse the repeat of an operation that took effect while
 * that was not so yet: its caller never heard of it, and hears now what it came to.
 */
export async function resolvedOrRepeated(
  deps: Needs,
  query: WalletQuery,
  once: Once,
): Promise<ResolvedWallet | Outcome> {
  try {
    return await resolveWallet(deps, query);
  } catch (refusal) {
    const earlier = refusal instanceof Refusal ? await repeatOf(deps, query, once) : null;
    if (!earlier) throw refusal;
    return earlier;
  }
}

/** What an operation came to when it was asked for before; by its external_id only where its wallet type still exists. */
export async function repeatOf(
  deps: Pick<Needs, 'walletTypes' | 'entries'>,
  query: WalletQuery,
  { operationId, kind, externalId }: Once,
): Promise<Outcome | null> {
  const { workspaceId, clientId } = query;
  const type = await findWalletType(deps, query).catch(() => null);
  const claim = type && externalClaim(kind, walletRef(workspaceId, clientId, type), externalId);
  const command = { workspaceId, operationId, claim: claim ?? undefined };
  return findRepeat(deps.entries, { ...command, context: currentContext() });
}
