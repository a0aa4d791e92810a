import type { JsonObject } from '@laurel/errors';
import type { Once } from '@laurel/events';
import type { PassDeps } from '../../deps';
import { notifiedPass } from '../../domain/pass/pass';
import { factNeeds, fillPlaceholders } from '../../domain/pass/placeholders';
import { gatherFacts } from './gather-facts';
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

/** Sets the text that was pushed last on every pass of the client; the push itself follows from the wallet update. */
export async function notifyClient(
  deps: PassDeps,
  { workspaceId, clientId, text, tokens, source }: ClientNotification,
  once: Once,
): Promise<void> {
  const subject = { workspace_id: workspaceId, client_id: clientId, pass_fields: tokens };
  const facts = await gatherFacts(deps, subject, factNeeds([text]));
  if (facts.identity === null) return;
  const notification = fillPlaceholders(text, facts);
  await once(async (session) => {
    for (const before of await deps.passes.listOfClients(workspaceId, [clientId], session)) {
      // Its client was erased, perhaps while the text was filled: it says nothing of them any more.
      if (before.retired) continue;
      const after = { ...notifiedPass(before, notification), date_updated: deps.clock.now() };
      await writePass(deps, { before, after, source }, session);
    }
  });
}
