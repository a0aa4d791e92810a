import { get, live, member, type Route } from '../../routing';
import { framesFrom } from './frames';
import * as schema from './schema';

/** What happens in a workspace, while it happens (docs/adr/0020). */
export const eventStreamRoutes: Route[] = [
  get(':ws/events/stream', {
    stack: member(),
    tag: 'Events',
    summary: 'Follow what happens, live',
    description:
      'Server-sent events: each is what a webhook would bring, with the id of the event beside it; the id of a frame is the cursor from which to go on. Without a cursor the stream begins now; with one, in Last-Event-ID or as a parameter, it goes on there and misses and repeats nothing, for as long as RETENTION_WEBHOOK_EVENTS_DAYS. Something is on the line every 5 seconds. It ends when its credential does.',
    query: schema.streamEvents,
    produces: ['text/event-stream'],
    handle: async ({ rpc, workspaceId, query, request }) => {
      const { event_types } = query;
      const cursor = request.get('last-event-id') || query.cursor;
      const asked = {
        workspace_id: workspaceId,
        ...(event_types === undefined ? {} : { event_types }),
      };
      // Asked before the status goes out: a cursor that is not kept any more is a refusal.
      const first = await rpc.integrations.ReadFeed({
        ...asked,
        ...(cursor === undefined ? {} : { cursor }),
        wait_ms: 0,
      });
      return live('text/event-stream', framesFrom(rpc, asked, first));
    },
  }),
];
