import { invalidField, Refusal } from '@laurel/errors';
import {
  type Answer,
  data,
  get,
  member,
  mobile,
  post,
  type Route,
  withoutDeadline,
} from '../../routing';
import type { Input } from '../../routing/route';
import type { RpcClients } from '../../rpc-clients';
import { fromMoment, untilMoment } from '../../schema/types';
import { readUpload } from '../files/upload';
import { presentEntry } from '../points/present';
import { withCoupon } from '../rewards/present';
import { operationRoutes } from './operation-routes';
import * as present from './present';
import * as schema from './schema';
import { staffOf } from './staff';

const tag = 'Mobile app';

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
    description:
      'Colours, the actions that this person may use, fields and wallet types. Ask for it at every start, as the team may change it meanwhile.',
    reply: schema.app,
    handle: async (input) =>
      data(present.presentApp(await input.rpc.passes.GetMobileApp(staffOf(input)))),
  }),
  get('/mobile-app/passes/search', {
    stack: mobile(),
    tag,
    summary: 'Find passes by name, e-mail address or phone of their client',
    description:
      'For clients who have forgotten their card: at most twenty, those of the projects of this app only.',
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
    description:
      'What a scanner read, as it is. A voided or expired pass is answered with its status, so that staff can say why; actions on it are refused.',
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
    description:
      'All that a counter needs in one answer. Fields that the workspace hides are left out, and passes of other projects are not found.',
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
    description:
      'Every kind of event of the client of this pass; for purchases alone take the transactions.',
    query: schema.listPage,
    reply: schema.events,
    handle: (input) => listEvents(input),
  }),
  get('/mobile-app/passes/:id/transactions', {
    stack: mobile(),
    tag,
    summary: 'List purchases and refunds, newest first',
    description: 'For a refund or a question about a purchase; amounts are those of the sale.',
    query: schema.listPage,
    reply: schema.events,
    handle: (input) => listEvents(input, 'transaction'),
  }),
  get('/mobile-app/passes/:id/loyalty', {
    stack: mobile(),
    tag,
    summary: 'Read balances, tier and the way to the next',
    description: 'The part of the pass that changes, to be asked again after an action.',
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
    description: 'What came and went, to explain a balance at the counter.',
    query: schema.listEntries,
    reply: schema.entries,
    handle: async (input) => {
      const { offset = 0, ...query } = input.query;
      const request = { ...staffOf(input), pass_id: input.params.id, ...query, offset };
      const page = await input.rpc.passes.ListMobilePassEntries(request);
      const rows = page.entries.map(presentEntry);
      return present.presentPage(rows, page.total_count, input.query);
    },
  }),
  get('/mobile-app/passes/:id/rewards', {
    stack: mobile(),
    tag,
    summary: 'List rewards, and what keeps the client from each',
    description:
      '`can_afford`, `is_locked` and `reason` say what to tell the client. Redeem one with the action for it.',
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
    description:
      'What the client has redeemed, with codes: what is still to be handed over is not used yet.',
    query: schema.listPage,
    reply: schema.redemptions,
    handle: async (input) => {
      const { limit, offset = 0 } = input.query;
      const request = { ...staffOf(input), pass_id: input.params.id, limit, offset };
      const page = await input.rpc.passes.ListMobilePassRedemptions(request);
      return present.presentPage(page.redemptions, page.total_count, input.query);
    },
  }),
  ...operationRoutes,
  post('/mobile-app/coupons/validate', {
    stack: mobile(),
    tag,
    summary: 'Tell whether a coupon code is good, and whose it is',
    description:
      'Before a code is taken at the counter: it says whether it is good, and whose it is. Nothing is marked by it.',
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
    description:
      'Say so when the reward is handed over; `used: false` takes it back. `reward_used` follows the former.',
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
    description:
      'Each booking, coupon and undo at a till, with the person, the device and the client. Kept for 400 days; the next page is that after `cursor`.',
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
    description:
      'Amount, currency, date and merchant, null for what was not found, and how sure it is. Recognition runs on the platform itself; nothing is recorded by it.',
    rawBody: true,
    readOnly: true,
    reply: schema.receipt,
    handle: (input) =>
      withoutDeadline(async () => {
        const { content: image } = await input.awaitPeer(() => readUpload(input.request));
        await input.stillAllowed();
        return data(await input.rpc.passes.ScanReceipt({ ...staffOf(input), image }));
      }),
  }),
];
