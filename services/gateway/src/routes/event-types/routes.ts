import { data, get, member, type Route } from '../../routing';
import { eventTypes } from './event-types';
import * as schema from './schema';

/** What webhooks and rules can listen to (part 4, section 10). */
export const eventTypeRoutes: Route[] = [
  get(':ws/event-types', {
    stack: member(),
    tag: 'Webhooks',
    summary: 'List the events that webhooks can subscribe to and rules can be triggered by',
    description:
      'type is the name under which webhooks carry it; custom.* stands for any custom event. Rules name the part behind the point, under the category before it.',
    reply: schema.eventTypes,
    handle: async ({ rpc, workspaceId }) => {
      const { event_types_by_category: triggers } = await rpc.automations.GetMetadata({
        workspace_id: workspaceId,
      });
      return data(eventTypes((triggers ?? {}) as Record<string, string[]>));
    },
  }),
];
