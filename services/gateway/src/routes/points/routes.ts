import { data, member, post, type Route, replayed } from '../../routing';
import { BATCH_MEMBERS_MAX } from '../../schema/bounds';
import { runBatch } from './batch';
import { presentEntry, presentRefundQuote, presentReply } from './present';
import { readingRoutes } from './reading-routes';
import * as schema from './schema';

const tag = 'Points';
const path = ':ws/loyalty/points';

/** What moves points: each answers with the entry it wrote. */
const operations: Route[] = [
  post(`${path}/earn`, {
    stack: member(),
    tag,
    summary: 'Credit points',
    description: 'A repeat of an external_id with the same amount answers with the first entry.',
    body: schema.earn,
    status: 201,
    reply: schema.entry,
    handle: async ({ rpc, workspaceId, body }) =>
      presentReply(await rpc.ledger.EarnPoints({ workspace_id: workspaceId, ...body })),
  }),
  post(`${path}/spend`, {
    stack: member(),
    tag,
    summary: 'Debit active points, oldest first',
    description:
      'For a till of your own; to give a reward for points, redeem it instead. Refused with `insufficient_balance` unless the wallet type may go below zero. The same external_id and amount give the first entry back; `loyalty.points_spent` follows.',
    body: schema.spend,
    status: 201,
    reply: schema.entry,
    handle: async ({ rpc, workspaceId, body }) =>
      presentReply(await rpc.ledger.SpendPoints({ workspace_id: workspaceId, ...body })),
  }),
  post(`${path}/adjust`, {
    stack: member(),
    tag,
    summary: 'Move the active balance by hand',
    description:
      'For corrections by people: a positive amount credits, a negative one debits, and the description says why; the client reads it in the portal. Sent with the same external_id and amount it gives the first entry back; `loyalty.points_adjusted` follows, and tiers and cards catch up by themselves.',
    body: schema.adjust,
    status: 201,
    reply: schema.entry,
    handle: async ({ rpc, workspaceId, body }) =>
      presentReply(await rpc.ledger.AdjustPoints({ workspace_id: workspaceId, ...body })),
  }),
  post(`${path}/transfer`, {
    stack: member(),
    tag,
    summary: 'Move points from one client to another, all or nothing',
    description:
      'Between clients of one workspace, in one wallet type; the points keep their expiry. Refused as a whole where one side cannot: too few points, no room under max_balance, an anonymized client. Each side gets a `loyalty.points_transferred`.',
    body: schema.transferPoints,
    status: 201,
    reply: schema.transfer,
    handle: async ({ rpc, workspaceId, body }) => {
      const reply = await rpc.ledger.TransferPoints({ workspace_id: workspaceId, ...body });
      const transfer_out = presentEntry(reply.transfer_out!);
      const transfer_in = presentEntry(reply.transfer_in!);
      return replayed(data({ transfer_out, transfer_in }), reply.replayed);
    },
  }),
  post(`${path}/lock`, {
    stack: member(),
    tag,
    summary: 'Hold points; a hold that expires is released',
    description:
      'For an order that is not paid yet: the points leave the active balance and are spent by capture or come back by release. Without expires_in_seconds the hold ends by itself after seven days; `loyalty.points_locked` follows.',
    body: schema.lock,
    status: 201,
    reply: schema.entry,
    handle: async ({ rpc, workspaceId, body }) =>
      presentReply(await rpc.ledger.LockPoints({ workspace_id: workspaceId, ...body })),
  }),
  post(`${path}/locks/:entryId/release`, {
    stack: member(),
    tag,
    summary: 'Give held points back',
    description:
      'For an order that came to nothing: the points are active again, in the lots they came from and with the expiry they had. Refused with 409 where they are no longer held.',
    status: 201,
    reply: schema.entry,
    handle: async ({ rpc, workspaceId, params: { entryId } }) =>
      presentReply(await rpc.ledger.ReleaseLock({ workspace_id: workspaceId, entry_id: entryId })),
  }),
  post(`${path}/locks/:entryId/capture`, {
    stack: member(),
    tag,
    summary: 'Spend held points, all or some; the rest is released',
    description:
      'What the order took becomes a spend, and the rest goes back to the lots it came from. Refused with 409 where the hold was captured, released or has run out.',
    body: schema.capture,
    status: 201,
    reply: schema.entry,
    handle: async ({ rpc, workspaceId, params: { entryId }, body }) =>
      presentReply(
        await rpc.ledger.CaptureLock({ workspace_id: workspaceId, entry_id: entryId, ...body }),
      ),
  }),
  post(`${path}/ledger/:entryId/cancel`, {
    stack: member(),
    tag,
    summary: 'Reverse what is left of an earn, spend or adjust',
    description:
      'For mistakes. An earn gives up what is left of its lot, a spend goes back to the lots it came from; the entry itself stays and a new one of type cancel refers to it, with the reason, which the client reads in the portal. What refunds of its purchase took back of an earn is not taken twice. Refused with 409 where it was cancelled before or nothing is left.',
    body: schema.cancel,
    status: 201,
    reply: schema.entry,
    handle: async ({ rpc, workspaceId, params: { entryId }, body }) =>
      presentReply(
        await rpc.ledger.CancelEntry({ workspace_id: workspaceId, entry_id: entryId, ...body }),
      ),
  }),
  post(`${path}/batch`, {
    stack: member(),
    tag,
    summary: 'Up to 1000 operations, each on its own, order kept per wallet',
    description:
      'For imports and nightly runs. An operation that is refused stands in `results` with its error and stops none of the others; each counts as if it were sent alone, external_id included, so that a batch can be sent again as it was.',
    body: schema.batch,
    bodyMembersMax: BATCH_MEMBERS_MAX,
    reply: schema.batchResult,
    handle: async ({ rpc, workspaceId, body }) =>
      data(await runBatch(rpc, workspaceId, body.operations)),
  }),
  post(`${path}/refund`, {
    stack: member(),
    tag,
    summary: 'Take back what a refunded purchase earned, in proportion',
    description:
      'Name the sale by the source_id of its earns, and say how much of it went back: amount with purchase_amount, or ratio. Every client whose sale has the number gives its share, or with client_id that client alone, and those who were merged into it; where more than 500 earns have the number, client_id must be given. Pending points go first, then what is left; what cannot be taken any more, or is of a wallet type that is switched off, is answered as `shortfall`. A refund that is recorded as an event does this by itself. With dry_run nothing is written, and the answer, a 200, says what would be taken back; it is refused as the refund would be.',
    body: schema.refund,
    status: 201,
    alsoAnswers: { 200: 'reply' },
    reply: schema.refunded,
    handle: async ({ rpc, workspaceId, body: { dry_run: isDryRun, ...body } }) => {
      const request = { workspace_id: workspaceId, ...body };
      if (isDryRun) {
        const quote = await rpc.ledger.QuotePurchaseRefund(request);
        return { ...data(presentRefundQuote(quote)), status: 200 };
      }
      const { replayed: isReplay, entries, ...sums } = await rpc.ledger.RefundPurchase(request);
      return replayed(data({ entries: entries.map(presentEntry), ...sums }), isReplay);
    },
  }),
];

/** Points (part 1, Points ledger and operations; part 3, section 4). */
export const pointRoutes: Route[] = [...operations, ...readingRoutes];
