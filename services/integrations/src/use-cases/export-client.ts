import { parseJson } from '@laurel/errors';
import { personExport, shown } from '@laurel/mongo';
import { collections } from '../collections';
import { messages } from '../store/inbox-messages';
import { outboundJobs } from '../store/outbound-job-rows';

/** What this service holds of a person: what arrived about them, and which systems hear of them. */
export const exportClient = personExport(collections, [
  shown(messages, (_deps, rows) => ({
    inbox_messages: rows.map(({ _id, provider, body, received_at }) => ({
      id: _id,
      provider,
      body: parseJson(body),
      received_at: received_at.toISOString(),
    })),
  })),
  shown(outboundJobs, (_deps, rows) => ({
    outbound: rows.map(({ provider, external_id, updated_at }) => ({
      provider,
      external_id,
      updated_at: updated_at.toISOString(),
    })),
  })),
]);
