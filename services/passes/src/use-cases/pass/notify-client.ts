import type { JsonObject } from '@laurel/errors';
import type { Once } from '@laurel/events';
import { successorOf } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { notifiedPass } from '../../domain/pass/pass';
import { factNeeds, fieldsIn, fillPlaceholders } from '../../domain/pass/placeholders';
import { type GatheredFacts, gatherFacts } from './gather-facts';
import { writePass } from './write-pass';

/** A text that all passes of a client are to show. */
export interface ClientNotification {
  workspaceId: string;
  clientId: string;
  /** As the workspace wrote it, placeholders and all. */
  text: string;
  /** What placeholders may name besides what is known of the client, e.g. reward_name. */
  tokens: JsonObject;
  source: string;
}

/**
 * Sets the text that was pushed last on every pass of the client, or of whom it became since it was asked; the push itself
 * follows from the wallet update.
 */
export async function notifyClient(
  deps: PassDeps,
  notice: ClientNotification,
  once: Once,
): Promise<void> {
  const { workspaceId, clientId, text, source } = notice;
  const { current, facts } = await addresseeOf(deps, notice);
  if (facts.identity === null) return;
  const notification = fillPlaceholders(text, facts);
  const whose = [...new Set([clientId, current])];
  await once(async (session) => {
    for (const before of await deps.passes.listOfClients(workspaceId, whose, session)) {
      // Its client was erased, perhaps while the text was filled: it says nothing of them any more.
      if (before.retired) continue;
      const notified = notifiedPass(before, notification, fieldsIn(text));
      const after = { ...notified, date_updated: deps.clock.now() };
      await writePass(deps, { before, after, source }, session);
    }
  });
}

/** Whom a text is for by now, and what it may say of them. Their passes may still be the ones of then. */
async function addresseeOf(
  deps: PassDeps,
  { workspaceId: workspace_id, clientId, text, tokens }: ClientNotification,
): Promise<{ current: string; facts: GatheredFacts }> {
  const factsOf = (client_id: string) =>
    gatherFacts(deps, { workspace_id, client_id, pass_fields: tokens }, factNeeds([text]));
  const facts = await factsOf(clientId);
  if (facts.identity !== null) return { current: clientId, facts };
  const successor = await successorOf(deps.clients, workspace_id, clientId);
  return successor === null
    ? { current: clientId, facts }
    : { current: successor, facts: await factsOf(successor) };
}
