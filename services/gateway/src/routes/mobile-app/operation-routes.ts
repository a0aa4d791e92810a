import { data, get, mobile, post, type Route, withHeaders } from '../../routing';
import * as present from './present';
import * as schema from './schema';
import { deviceOf } from './staff';

const tag = 'Mobile app';

/** What staff do on passes, what came of it, and the way back. */
export const operationRoutes: Route[] = [
  post('/mobile-app-actions/:id/execute', {
    stack: mobile(),
    tag,
    summary: 'Run an action on a pass',
    description:
      'With occurred_at a till tells of what happened while it was offline, at most 72 hours ago: rules and limits of a purchase go by that moment. The header Operation-Id names what was done, for undo.',
    body: schema.execute,
    reply: schema.executed,
    handle: async (input) => {
      const { rpc, params, body } = input;
      const request = { ...deviceOf(input), action_id: params.id, ...body };
      const executed = await rpc.passes.ExecuteMobileAppAction(request);
      // The body is settled (part 3, section 2.2).
      const headers = { 'Operation-Id': executed.operation_id };
      return withHeaders(data(present.presentExecuted(executed)), headers);
    },
  }),
  post('/mobile-app-actions/:id/quote', {
    stack: mobile(),
    tag,
    summary: 'Tell what an action would do to a pass, rules included',
    description:
      'Nothing is done. The answer goes by how things stand now, and is a refusal where running the action would be refused. First comes what the action does itself, then what rules would do because of it and of each other, as deep as chains of rules go. A refund that names its sale says what it takes back (`refund_points`). An action that changes data or tiers moves no points and has no effects here: what rules would make of that, or of tiers that points lead to, is not foretold.',
    readOnly: true,
    body: schema.quote,
    reply: schema.quoted,
    handle: async (input) => {
      const request = { ...deviceOf(input), action_id: input.params.id, ...input.body };
      return data(await input.rpc.passes.QuoteMobileAppAction(request));
    },
  }),
  get('/mobile-app/operations/:id', {
    stack: mobile(),
    tag,
    summary: 'Read the outcome of what this device did, rules included',
    description:
      'A purchase earns by rules after it was recorded: `wait` holds the answer for so many seconds until they have run. `done` is when every rule that asked for it has had its turn; rules that follow from those come later.',
    query: schema.follow,
    reply: schema.followed,
    handle: async (input) => {
      const wait_ms = Math.round(input.query.wait * 1_000);
      const request = { ...deviceOf(input), id: input.params.id, wait_ms };
      const follow = () => input.rpc.passes.FollowStaffOperation(request);
      return data(
        present.presentFollowed(await (wait_ms > 0 ? input.awaitPeer(follow) : follow())),
      );
    },
  }),
  post('/mobile-app/operations/:id/undo', {
    stack: mobile(),
    tag,
    summary: 'Take back what this device did in the last ten minutes',
    description:
      'Once: an entry is cancelled, a redemption cancelled, a purchase refunded as a whole; what rules gave for it follows. 409 for what another device did, for data, tiers and refunds, and after ten minutes.',
    reply: schema.undone,
    handle: async (input) => {
      const request = { ...deviceOf(input), id: input.params.id };
      return data(await input.rpc.passes.UndoStaffOperation(request));
    },
  }),
  get('/mobile-app/recent', {
    stack: mobile(),
    tag,
    summary: 'List what this device did lately, newest first',
    description:
      'To find the last action again, for instance to undo it, after the app was closed or the line broke.',
    query: schema.recent,
    reply: schema.operations,
    handle: async (input) => {
      const request = { ...deviceOf(input), limit: input.query.limit };
      const { operations } = await input.rpc.passes.ListRecentOperations(request);
      return data(operations);
    },
  }),
];
