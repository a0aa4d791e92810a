import type { JsonObject } from '@laurel/errors';
import type { Once } from '@laurel/events';
import type { PassDeps } from '../../deps';
import { notifiedPass } from '../../domain/pass/pass';
import { factNeeds, fieldsIn, fillPlaceholders } from '../../domain/pass/placeholders';
import { gatherFactsOfHeir } from './gather-facts';
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
  const whom = { workspace_id: workspaceId, client_id: clientId, pass_fields: notice.tokens };
  // Their passes may still be the ones of then.
  const { current, facts } = await gatherFactsOfHeir(deps, whom, factNeeds([text]));
  if (facts.identity === null) return;
  const notification = fillPlaceholders(text, facts);
  const whose = [...new Set([clientId, current ?? clientId])];
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
