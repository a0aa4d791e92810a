import {
  type Answer,
  data,
  file,
  get,
  member,
  post,
  type Route,
  stream,
  withoutDeadline,
} from '../../routing';
import type { RpcClients } from '../../rpc-clients';
import { fromMoment, untilMoment } from '../../schema/types';
import { withClients } from '../clients/expand-client';
import {
  presentClientStatement,
  presentEntry,
  presentExplanation,
  presentPage,
  presentSummary,
  statementAsCsv,
} from './present';
import * as schema from './schema';
import * as statements from './statement-schema';

const tag = 'Points';
const path = ':ws/loyalty/points';

/** What is known of points. */
export const readingRoutes: Route[] = [
  get(`${path}/ledger`, {
    stack: member(),
    tag,
    summary: 'The ledger of the workspace, newest first',
    description:
      'Without wallet_type_code it covers every wallet type. Entries never change but for their status, so pages by `cursor` neither miss nor repeat one; the client beside each entry comes with `expand`.',
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
    description:
      'Every entry with its hash, streamed, so that memory stays flat whatever the size. `laurel-verify` reads it and proves from outside that nothing was changed or left out.',
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
    description:
      'An entry is written once and stays: its amount, balance_after and hash are as they were on that day. Only its status moves, and every such move writes an entry of its own.',
    reply: schema.entry,
    handle: async ({ rpc, workspaceId, params: { entryId } }) =>
      data(presentEntry(await rpc.ledger.GetEntry({ workspace_id: workspaceId, id: entryId }))),
  }),
  get(`${path}/ledger/:entryId/explain`, {
    stack: member(),
    tag,
    summary: 'Why an entry is there and what it did',
    description:
      'For questions at the counter and for auditors: which sale, rule or person caused it, which lots it made or used up, whether a cap cut it, and where it stands in the chain of its wallet.',
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
    description:
      'Figures of a time range for a report, all of them positive, with what clients could still spend as `active_liability`. Without wallet_type_code each wallet type is also told apart, since stamps and points do not add up.',
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
    description:
      'What a client asks for at the counter: opening and closing balance, every entry between them and the days on which points will expire. Without wallet_type_code it is that of the default one.',
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
    description:
      'Reads and changes nothing. Each problem names wallet and sequence; the scope is one client, one wallet type or, without either, the whole workspace.',
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
