import {
  type Answer,
  data,
  file,
  get,
  member,
  post,
  type Route,
  replayed,
  stream,
  withoutDeadline,
} from '../../routing';
import type { RpcClients } from '../../rpc-clients';
import { BATCH_MEMBERS_MAX } from '../../schema/bounds';
import { fromMoment, untilMoment } from '../../schema/types';
import { withClients } from '../clients/expand-client';
import { runBatch } from './batch';
import {
  presentClientStatement,
  presentEntry,
  presentExplanation,
  presentPage,
  presentRefundQuote,
  presentReply,
  presentSummary,
  statementAsCsv,
} from './present';
import * as schema from './schema';
import * as statements from './statement-schema';

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
    status: 201,
    reply: schema.entry,
    handle: async ({ rpc, workspaceId, params: { entryId } }) =>
      presentReply(await rpc.ledger.ReleaseLock({ workspace_id: workspaceId, entry_id: entryId })),
  }),
  post(`${path}/locks/:entryId/capture`, {
    stack: member(),
    tag,
    summary: 'Spend held points, all or some; the rest is released',
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
      'With dry_run nothing is written, and the answer, a 200, says what would be taken back; it is refused as the refund would be.',
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

/** What is known of points. */
const readings: Route[] = [
  get(`${path}/ledger`, {
    stack: member(),
    tag,
    summary: 'The ledger of the workspace, newest first',
    query: schema.workspaceEntries,
    reply: schema.entriesOfPeople,
    handle: async (input) => {
      const { expand, ...query } = input.query;
      const request = schema.listRequest(input.workspaceId, query);
      const found = await input.rpc.ledger.ListEntries(request);
      return presentPage({
        ...found,
        entries: [...(await withClients(input, found.entries, expand))],
      });
    },
  }),
  get(`${path}/ledger/export`, {
    stack: member(),
    tag,
    summary: 'The ledger as NDJSON, as the stand-alone verifier reads it',
    query: schema.exportEntries,
    produces: ['application/x-ndjson'],
    handle: async ({ rpc, workspaceId, query }) =>
      exportLedger(rpc, workspaceId, {
        from_date: fromMoment(query.from_date),
        to_date: untilMoment(query.to_date),
      }),
  }),
  get(`${path}/ledger/:entryId`, {
    stack: member(),
    tag,
    summary: 'Read an entry',
    reply: schema.entry,
    handle: async ({ rpc, workspaceId, params: { entryId } }) =>
      data(presentEntry(await rpc.ledger.GetEntry({ workspace_id: workspaceId, id: entryId }))),
  }),
  get(`${path}/ledger/:entryId/explain`, {
    stack: member(),
    tag,
    summary: 'Why an entry is there and what it did',
    reply: schema.explanation,
    handle: async ({ rpc, workspaceId, params: { entryId } }) => {
      const request = { workspace_id: workspaceId, id: entryId };
      return data(presentExplanation(await rpc.ledger.ExplainEntry(request)));
    },
  }),
  get(`${path}/summary`, {
    stack: member(),
    tag,
    summary: 'What came and went, and what is owed',
    query: statements.summarize,
    reply: statements.summary,
    handle: async ({ rpc, workspaceId, query }) => {
      const summary = await rpc.ledger.SummarizePoints({
        ...query,
        workspace_id: workspaceId,
        from_date: fromMoment(query.from_date),
        to_date: untilMoment(query.to_date),
      });
      return data(presentSummary(summary, query));
    },
  }),
  get(`${path}/statement`, {
    stack: member(),
    tag,
    summary: 'A statement of one wallet type, for accountants',
    description:
      'opening + credits − debits = closing, to the last decimal. As CSV, a row for each figure.',
    query: statements.statementQuery,
    reply: statements.statement,
    produces: ['text/csv'],
    handle: async ({ rpc, workspaceId, query: { format, ...asked } }) => {
      const statement = await rpc.ledger.GetStatement({
        workspace_id: workspaceId,
        wallet_type_code: asked.wallet_type_code,
        from_date: fromMoment(asked.from_date),
        to_date: untilMoment(asked.to_date),
      });
      return format === 'csv'
        ? file('text/csv; charset=utf-8', Buffer.from(statementAsCsv(statement)))
        : data(statement);
    },
  }),
  get(`${path}/statement/:clientId`, {
    stack: member(),
    tag,
    summary: "A client's statement: every entry between two balances, and what expires when",
    query: statements.clientStatementQuery,
    reply: statements.clientStatement,
    handle: async ({ rpc, workspaceId, params: { clientId }, query }) =>
      data(
        presentClientStatement(
          await rpc.ledger.GetClientStatement({
            workspace_id: workspaceId,
            client_id: clientId,
            ...query,
            from_date: fromMoment(query.from_date),
            to_date: untilMoment(query.to_date),
          }),
        ),
      ),
  }),
  post(`${path}/verify`, {
    stack: member(),
    tag,
    summary: 'Recompute the chain and balances of every wallet in scope',
    body: schema.verify,
    reply: schema.verification,
    readOnly: true,
    handle: ({ rpc, workspaceId, body }) =>
      withoutDeadline(async () =>
        data(await rpc.ledger.VerifyLedger({ workspace_id: workspaceId, ...body })),
      ),
  }),
];

/** The ledger of a period as a file, in the form that the verifier reads. */
export function exportLedger(
  rpc: RpcClients,
  workspace_id: string,
  period: { from_date: string | undefined; to_date: string | undefined },
): Answer {
  const rows = rpc.ledger.ExportEntries({ workspace_id, ...period });
  return stream('application/x-ndjson', 'ledger.ndjson', toLines(rows));
}

async function* toLines(rows: AsyncIterable<{ lines: string[] }>): AsyncGenerator<string> {
  for await (const { lines } of rows) yield `${lines.join('\n')}\n`;
}

/** Points (part 1, Points ledger and operations; part 3, section 4). */
export const pointRoutes: Route[] = [...operations, ...readings];
