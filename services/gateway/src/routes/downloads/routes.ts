import { asCaller } from '../../middleware/caller';
import { check } from '../../middleware/validate';
import {
  type Answer,
  data,
  get,
  member,
  open,
  post,
  type Route,
  stream,
  withHeaders,
} from '../../routing';
import type { RpcClients } from '../../rpc-clients';
import { fromMoment, untilMoment } from '../../schema/types';
import { exportClients, exportPerson } from '../client-export/routes';
import { exportLedger } from '../points/reading-routes';
import * as schema from './schema';
import { redemptionLines, statementLines } from './write-file';

const tag = 'Downloads';

interface Asked {
  rpc: RpcClients;
  workspaceId: string;
  params: Record<string, never>;
}

interface Checked {
  params: Record<string, unknown>;
}

const periodOf = ({ from_date, to_date }: Asked['params']) => ({
  from_date: fromMoment(from_date),
  to_date: untilMoment(to_date),
});

/** What is written for each kind; every member may have all of them, as the operations behind them say. */
const FILES: { [Kind in schema.Kind]: (asked: Asked) => Answer } = {
  customers: ({ rpc, workspaceId, params }) => exportClients(rpc, workspaceId, params as never),
  ledger: ({ rpc, workspaceId, params }) => exportLedger(rpc, workspaceId, periodOf(params)),
  person: ({ rpc, workspaceId, params }) => exportPerson(rpc, workspaceId, params.client_id!),
  statement: ({ rpc, workspaceId: workspace_id, params }) => {
    const asked = { workspace_id, client_id: params.client_id!, ...periodOf(params) };
    return stream('text/csv; charset=utf-8', 'statement.csv', statementLines(rpc, asked));
  },
  redemptions: ({ rpc, workspaceId: workspace_id, params }) => {
    const asked = { workspace_id, ...params, ...periodOf(params) };
    return stream('text/csv; charset=utf-8', 'redemptions.csv', redemptionLines(rpc, asked));
  },
};

/** Files that a link can fetch (docs/adr/0038). */
export const downloadRoutes: Route[] = [
  post(':ws/downloads', {
    stack: member(),
    tag,
    summary: 'Make an address under which a file can be fetched once, within 60 seconds',
    description:
      'For browsers: a link carries no Authorization header, and a file of a million rows fits into no page. What is wrong with the params is said here; the file is written as it is read.',
    idempotent: false,
    readOnly: true,
    body: schema.newDownload,
    status: 201,
    reply: schema.opened,
    handle: async ({ rpc, workspaceId: workspace_id, caller, body, publicUrl }) => {
      const { params } = check(
        schema.paramsOf(body.kind),
        { params: body.params },
        true,
      ) as Checked;
      // Of a client who is not here there is no file: better said now than in a tab of its own.
      const id = params.client_id as string | undefined;
      if (id !== undefined) await rpc.clients.GetClient({ workspace_id, id });
      const { token, expires_at } = await rpc.identity.OpenDownload({
        workspace_id,
        kind: body.kind,
        params: params as never,
        ...asCaller(caller),
        ...(caller.tokenSha256 === undefined ? {} : { token_sha256: caller.tokenSha256 }),
      });
      return data({ url: `${publicUrl}/downloads/${token}`, expires_at });
    },
  }),
  get('!/downloads/:token', {
    stack: open('IP', {
      // A look asks for nothing: its address would be remembered as right whatever it was.
      credential: ({ method, params }) => (method === 'HEAD' ? undefined : String(params.token)),
      isWrong: ({ httpStatus }) => httpStatus === 404,
    }),
    tag,
    summary: 'Fetch a file by the address that was made for it, once',
    description:
      'For the browser of whoever made the address; it needs no header. It is good for one fetch and a minute, then 404. Whether its maker may still see the rows is checked when it is fetched, and while it is written.',
    params: { token: schema.token },
    produces: ['text/csv', 'application/x-ndjson', 'application/json'],
    handle: async ({ rpc, params: { token }, request }) => {
      // A look whether there is something must not use it up.
      if (request.method === 'HEAD') return { status: 204 };
      const taken = await rpc.identity.TakeDownload({ token });
      const answer = FILES[taken.kind as schema.Kind]({
        rpc,
        workspaceId: taken.workspace_id,
        params: taken.params as Asked['params'],
      });
      const stillAllowed = async () => {
        await rpc.identity.ConfirmDownload(taken);
      };
      return { ...withHeaders(answer, { 'Cache-Control': 'no-store' }), stillAllowed };
    },
  }),
];
