import { platform } from '@laurel/errors';
import type { Request } from 'express';
import { data, get, member, open, post, type Route, withoutDeadline } from '../../routing';
import { presentMessage } from '../integrations/present';
import * as schema from '../integrations/schema';
import { readJsonBytes } from './read-bytes';

const tag = 'Integrations';

/** Inboxes, where other systems post to (part 3, section 14). */
export const inboxRoutes: Route[] = [
  post('!/inbox/:inboxId/:token', {
    // Counted for each inbox and token: a chain's tills share their addresses. An id is one however it is spelled.
    stack: open('TOKEN', {
      credential: ({ params: { inboxId, token } }) => `${String(inboxId).toLowerCase()}/${token}`,
      isWrong: ({ httpStatus }) => httpStatus === 404 || httpStatus === 401,
      countedOnCredential: true,
    }),
    tag,
    summary: 'Hand something to an inbox; it is stored when 202 is answered',
    description:
      'Any JSON of at most 1 MiB. What becomes of it, the health of the integration shows.',
    rawBody: true,
    takes: '*/*',
    status: 202,
    reply: schema.receipt,
    handle: async ({ rpc, params: { inboxId, token }, request, awaitPeer }) => {
      if (!request.is(['json', '+json'])) throw platform.unsupportedMediaType();
      const body = await awaitPeer(() => readJsonBytes(request));
      const headers = headersOf(request);
      const message = { inbox_id: inboxId, token, body, headers };
      // It may have taken longer to come than a request may take.
      const { id, received_at } = await withoutDeadline(() =>
        rpc.integrations.ReceiveInboxMessage(message),
      );
      return data({ id, received_at });
    },
  }),
  get(':ws/integrations/:provider/inbox-messages', {
    stack: member(),
    tag,
    summary: 'List what arrived in the inbox, newest first',
    description:
      'Filter by status to find what failed. Each was answered with 202 when it was stored, and is worked on afterwards. One that led to a client goes when that client is erased, any other `RETENTION_INBOX_MESSAGES_DAYS` (30) after it came.',
    query: schema.listInboxMessages,
    reply: schema.inboxMessages,
    handle: async ({ rpc, workspaceId, params: { provider }, query }) => {
      const request = { workspace_id: workspaceId, provider, ...query };
      const { data: page, next_cursor } = await rpc.integrations.ListInboxMessages(request);
      const meta = { limit: query.limit, next_cursor: next_cursor ?? null };
      return data(page.map(presentMessage), meta);
    },
  }),
  get(':ws/integrations/:provider/inbox-messages/:id', {
    stack: member(),
    tag,
    summary: 'Read a message as it came, and what became of it',
    description:
      'Headers and body as they came, the outcome, and the last error: what to look at when a mapping does not fit. Where no client was found, `last_error` says by which ways it was looked for; the values stand in the body.',
    reply: schema.wholeInboxMessage,
    handle: async ({ rpc, workspaceId, params: { provider, id } }) => {
      const request = { workspace_id: workspaceId, provider, id };
      const message = await rpc.integrations.GetInboxMessage(request);
      const { body = null, headers = {} } = message;
      return data({ ...presentMessage(message), body, headers });
    },
  }),
  post(':ws/integrations/:provider/inbox-messages/:id/retry', {
    stack: member(),
    tag,
    summary: 'Process a failed message again',
    description:
      'After the mapping was put right. It is worked on as if it had just come; its external_id keeps it from counting twice.',
    status: 202,
    reply: schema.inboxMessage,
    handle: async ({ rpc, workspaceId, params: { provider, id } }) => {
      const request = { workspace_id: workspaceId, provider, id };
      return data(presentMessage(await rpc.integrations.RetryInboxMessage(request)));
    },
  }),
];

/** Values that are sent several times are joined, as HTTP has it. */
function headersOf({ headers }: Request): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return Object.fromEntries(entries);
}
