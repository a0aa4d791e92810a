import { invalidField, Refusal } from '@laurel/errors';
import {
  type Answer,
  data,
  get,
  member,
  mobile,
  post,
  type Route,
  withHeaders,
  withoutDeadline,
} from '../../routing';
import type { Input } from '../../routing/route';
import type { RpcClients } from '../../rpc-clients';
import { fromMoment, untilMoment } from '../../schema/types';
import { readUpload } from '../files/upload';
import { withCoupon } from '../rewards/present';
import * as present from './present';
import * as schema from './schema';

const tag = 'Mobile app';

/** On whose behalf the app asks: the workspace of its session, and the role of whoever holds the device. */
function staffOf({
  workspaceId,
  caller,
}: Pick<Input<string, unknown, unknown>, 'workspaceId' | 'caller'>) {
  return { workspace_id: workspaceId, role_id: caller.membership!.roleId! };
}

/** The same, and which device it is: what it did it may take back. */
function deviceOf(input: Pick<Input<string, unknown, unknown>, 'workspaceId' | 'caller'>) {
  return { ...staffOf(input), session_id: input.caller.sessionId! };
}

/** What an app user did stays when they go; who did nothing there is to be one of its app users. */
async function requireMobileUser(rpc: RpcClients, workspaceId: string, id: string): Promise<void> {
  try {
    await rpc.identity.GetMobileUser({ workspace_id: workspaceId, id });
  } catch (error) {
    if (!(error instanceof Refusal) || error.httpStatus !== 404) throw error;
    throw invalidField('user_id', 'there is no such app user in the workspace');
  }
}

type PageInput = Pick<
  Input<'/passes/:id', schema.PageQuery, unknown>,
  'rpc' | 'workspaceId' | 'caller' | 'params' | 'query'
>;

async function listEvents(input: PageInput, category?: string): Promise<Answer> {
  const { limit, offset = 0 } = input.query;
  const page = await input.rpc.passes.ListMobilePassEvents({
    ...staffOf(input),
    pass_id: input.params.id,
    limit,
    offset,
    event_category: category,
  });
  return present.presentPage(page.events, page.total, input.query);
}

/** The staff app at work (part 2, Mobile app runtime; part 3, section 2.2). */
export const mobileAppRoutes: Route[] = [
  get(':ws/mobile-app', {
    stack: mobile({ evenWhenDisabled: true }),
    tag,
    summary: 'Read all that the app starts with; null while there is no enabled config',
    reply: schema.app,
    handle: async (input) =>
      data(present.presentApp(await input.rpc.passes.GetMobileApp(staffOf(input)))),
  }),
  get('/mobile-app/passes/search', {
    stack: mobile(),
    tag,
    summary: 'Find passes by name, e-mail address or phone of their client',
    query: schema.search,
    reply: schema.passes,
    handle: async (input) => {
      const request = { ...staffOf(input), ...input.query };
      const { passes } = await input.rpc.passes.SearchMobilePasses(request);
      return data(passes.map(present.presentPass));
    },
  }),
  get('/mobile-app/passes/scan/:barcode_value', {
    stack: mobile(),
    tag,
    summary: 'Read the pass behind a barcode',
    reply: schema.wholePass,
    handle: async (input) => {
      const request = { ...staffOf(input), barcode_value: input.params.barcode_value };
      return data(present.presentWholePass(await input.rpc.passes.ScanMobilePass(request)));
    },
  }),
  get('/mobile-app/passes/:id', {
    stack: mobile(),
    tag,
    summary: 'Read a pass with its client, tier and wallets',
    reply: schema.wholePass,
    handle: async (input) => {
      const request = { ...staffOf(input), pass_id: input.params.id };
      return data(present.presentWholePass(await input.rpc.passes.GetMobilePass(request)));
    },
  }),
  get('/mobile-app/passes/:id/history', {
    stack: mobile(),
    tag,
    summary: 'List what happened to the client, newest first',
    query: schema.listPage,
    reply: schema.events,
    handle: (input) => listEvents(input),
  }),
  get('/mobile-app/passes/:id/transactions', {
    stack: mobile(),
    tag,
    summary: 'List purchases and refunds, newest first',
    query: schema.listPage,
    reply: schema.events,
    handle: (input) => listEvents(input, 'transaction'),
  }),
  get('/mobile-app/passes/:id/loyalty', {
    stack: mobile(),
    tag,
    summary: 'Read balances, tier and the way to the next',
    reply: schema.loyalty,
    handle: async (input) => {
      const request = { ...staffOf(input), pass_id: input.params.id };
      return data(present.presentLoyalty(await input.rpc.passes.GetMobilePassLoyalty(request)));
    },
  }),
  get('/mobile-app/passes/:id/ledger', {
    stack: mobile(),
    tag,
    summary: 'List the entries of the ledger, of one wallet type where it is named',
    query: schema.listEntries,
    reply: schema.entries,
    handle: async (input) => {
      const { offset = 0, ...query } = input.query;
      const request = { ...staffOf(input), pass_id: input.params.id, ...query, offset };
      const page = await input.rpc.passes.ListMobilePassEntries(request);
      const rows = page.entries.map(present.presentEntry);
      return present.presentPage(rows, page.total_count, input.query);
    },
  }),
  get('/mobile-app/passes/:id/rewards', {
    stack: mobile(),
    tag,
    summary: 'List rewards, and what keeps the client from each',
    query: schema.listPage,
    reply: schema.rewards,
    handle: async (input) => {
      const { limit, offset = 0 } = input.query;
      const request = { ...staffOf(input), pass_id: input.params.id, limit, offset };
      const { rewards } = await input.rpc.passes.ListMobilePassRewards(request);
      return data(rewards.map(present.presentReward));
    },
  }),
  get('/mobile-app/passes/:id/redemptions', {
    stack: mobile(),
    tag,
    summary: 'List redemptions, newest first',
    query: schema.listPage,
    reply: schema.redemptions,
    handle: async (input) => {
      const { limit, offset = 0 } = input.query;
      const request = { ...staffOf(input), pass_id: input.params.id, limit, offset };
      const page = await input.rpc.passes.ListMobilePassRedemptions(request);
      return present.presentPage(page.redemptions, page.total_count, input.query);
    },
  }),
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
    summary: 'Tell what an action would come to on a pass, rules included',
    description:
      'As things stand, and refused as running it would be; nothing is done. Balances are those of now. What changes data or tiers moves no points and has no effects here.',
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
    summary: 'Read what came of what this device did, rules included',
    description:
      'A purchase earns by rules after it was recorded: `wait` holds the answer for so many seconds until they have run. `done` is when every rule that asked for it has had its turn; rules that follow from those come later.',
    query: schema.follow,
    reply: schema.followed,
    handle: async (input) => {
      const wait_ms = Math.round(input.query.wait * 1_000);
      const request = { ...deviceOf(input), id: input.params.id, wait_ms };
      return data(present.presentFollowed(await input.rpc.passes.FollowStaffOperation(request)));
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
    query: schema.recent,
    reply: schema.operations,
    handle: async (input) => {
      const request = { ...deviceOf(input), limit: input.query.limit };
      const { operations } = await input.rpc.passes.ListRecentOperations(request);
      return data(operations);
    },
  }),
  post('/mobile-app/coupons/validate', {
    stack: mobile(),
    tag,
    summary: 'Tell whether a coupon code is good, and whose it is',
    readOnly: true,
    body: schema.validateCoupon,
    reply: schema.couponVerdict,
    handle: async (input) => {
      const request = { ...staffOf(input), ...input.body };
      const verdict = await input.rpc.passes.ValidateMobileCoupon(request);
      const { coupon = null, redemption = null, client = null } = verdict;
      return data({ ...verdict, coupon, redemption, client });
    },
  }),
  post('/mobile-app/clients', {
    stack: mobile(),
    tag,
    summary: 'Sign a customer up at the counter, with the card of the shop',
    description:
      'With a name, an e-mail address or a phone number at least. An address that is taken is refused: search for whose it is. The links are what the customer’s phone opens to keep the card; null for a wallet that is not set up.',
    body: schema.signUp,
    status: 201,
    reply: schema.signedUp,
    handle: async (input) => {
      const request = { ...staffOf(input), ...input.body };
      return data(present.presentSignUp(await input.rpc.passes.SignUpMobileClient(request)));
    },
  }),
  post('/mobile-app/redemptions/:id/use', {
    stack: mobile(),
    tag,
    summary: 'Mark a redemption used, or with used false unused',
    body: schema.useRedemption,
    reply: schema.redemptionWithCoupon,
    handle: async (input) => {
      const request = { ...staffOf(input), id: input.params.id, ...input.body };
      return data(withCoupon(await input.rpc.passes.UseMobileRedemption(request)));
    },
  }),
  get(':ws/mobile-app-activity', {
    stack: member(),
    tag: 'Mobile app configuration',
    summary: 'List what staff did for whom, on which device, newest first',
    description: 'Kept for 400 days.',
    query: schema.activity,
    reply: schema.operations,
    meta: schema.activityMeta,
    handle: async ({ rpc, workspaceId, query }) => {
      const { user_id, from_date, to_date, limit, cursor } = query;
      const page = await rpc.passes.ListStaffActivity({
        workspace_id: workspaceId,
        mobile_user_id: user_id,
        from_date: fromMoment(from_date),
        to_date: untilMoment(to_date),
        limit,
        cursor,
      });
      if (page.operations.length === 0 && user_id !== undefined)
        await requireMobileUser(rpc, workspaceId, user_id);
      return data(page.operations, { limit, next_cursor: page.next_cursor ?? null });
    },
  }),
  post('/mobile-app/receipt-scan', {
    stack: mobile(),
    tag,
    summary:
      'Read a photographed receipt: a multipart body with an image named file, at most 5 MiB',
    rawBody: true,
    readOnly: true,
    reply: schema.receipt,
    handle: (input) =>
      withoutDeadline(async () => {
        const { content: image } = await readUpload(input.request);
        return data(await input.rpc.passes.ScanReceipt({ ...staffOf(input), image }));
      }),
  }),
];
