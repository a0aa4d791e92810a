import type { Session } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import { withOtherBarcode } from '../../domain/pass/hand-over';
import type { ProvenClient } from '../../domain/pass/pass';
import { queueWalletUpdate } from './queue-wallet-update';
import { rewritePass } from './write-pass';

type RenewDeps = Pick<
  PassDeps,
  'passes' | 'formerBarcodes' | 'passUpdates' | 'templateRefreshes' | 'clock' | 'outbox'
>;

/**
 * Makes the links of a client's passes anew, once their address is proven: those that went to the sender of a form, or
 * were shown to whom a text message let in, lead nowhere from then on, cards on phones are refused, and no barcode that was
 * worked out by nothing but chance leads to the pass, nor does an earlier one (docs/adr/0014). What came to the client after the proof was shown to its reader alone,
 * however late this is done. All cards are drawn again, for the way into the portal that they show.
 * Repeating it changes nothing.
 */
export async function renewLinks(
  deps: RenewDeps,
  { workspaceId, clientId, cameByForm, shownUntil }: ProvenClient,
  session: Session,
): Promise<void> {
  for (const before of await deps.passes.listOfClients(workspaceId, [clientId], session)) {
    const { handed_out, safe_generation, link_generation: generation } = before;
    const wasShown =
      shownUntil !== undefined && (before.held_since ?? before.date_created) <= shownUntil;
    const isHandedOut = wasShown || (handed_out ?? (cameByForm && generation === 0));
    if (isHandedOut && safe_generation !== generation) {
      const renewed = { link_generation: generation + 1, safe_generation: generation + 1 };
      const codes = withOtherBarcode(before);
      const after = { ...before, ...codes, ...renewed, date_updated: deps.clock.now() };
      await deps.formerBarcodes.removeOfPass(workspaceId, before.id, session);
      await rewritePass(deps, { before, after, source: 'address_proof' }, session);
    } else await queueWalletUpdate(deps, { workspaceId, passIds: [before.id] }, session);
  }
}
