import type { campaigns as api } from '@laurel/rpc';
import { toDecimal, totalUnitsOf } from '@laurel/values/amount';
import type { Deps } from '../deps';
import {
  addResponses,
  type CountedResponse,
  noResponse,
  type ResponseFigures,
} from '../domain/response';
import { findHead } from './change-campaign';

const PAGE = 1_000;
const DAY_MS = 86_400_000;

type ResponseDeps = Pick<Deps, 'audience' | 'campaigns' | 'clients' | 'responses'>;

/** What those whom a campaign reached did since it began. No client is in two pages of them, so their figures add up. */
export async function measureResponse(
  deps: ResponseDeps,
  request: api.MeasureResponseRequest,
): Promise<api.Response> {
  const { workspace_id: workspaceId, id, day_starts: dayStarts } = request;
  const { started_at: startedAt } = await findHead(deps, workspaceId, id);
  if (startedAt === null) return { days: [] };
  const from = startedAt.getTime();
  const asked = { ...request, from };
  // A span that is over ends whole days after its begin; the end of another moves on.
  const end = (request.until - from) % DAY_MS === 0 ? request.until : 'open';
  const counted = await deps.responses(`${workspaceId} ${id} ${dayStarts.length} ${end}`, () =>
    count(deps, asked),
  );
  if (!counted) return { days: [] };
  return { whole: reply(counted.whole), days: counted.days.map(reply) };
}

async function count(
  { audience, clients }: Pick<ResponseDeps, 'audience' | 'clients'>,
  { workspace_id, id, from, until, day_starts }: api.MeasureResponseRequest & { from: number },
): Promise<CountedResponse> {
  let sum = noResponse(day_starts.length);
  const heirs = new Set(await audience.heirs(workspace_id, id));
  const counted = new Set<string>();
  let before: string | undefined;
  for (let after = -1; ; ) {
    const { clientIds, last } = await audience.reached(workspace_id, id, { after, limit: PAGE });
    if (last === null) return sum;
    after = last;
    // The cards of a client stand beside each other, and may do so across the end of a page; those of merged ones anywhere.
    const others = clientIds.filter((clientId) => clientId !== before && !counted.has(clientId));
    before = clientIds.at(-1) ?? before;
    if (others.length === 0) continue;
    const client_ids = [...new Set(others)];
    for (const clientId of client_ids) if (heirs.has(clientId)) counted.add(clientId);
    const span = { from, until, day_starts };
    const { whole, days } = await clients.MeasureActivity({ workspace_id, client_ids, ...span });
    sum = addResponses(sum, { whole: inUnits(whole!), days: days.map(inUnits) });
  }
}

const inUnits = ({ spent, ...counts }: api.ResponseFigures): ResponseFigures => ({
  ...counts,
  spent: totalUnitsOf([spent]),
});

const reply = ({ spent, ...counts }: ResponseFigures): api.ResponseFigures => ({
  ...counts,
  spent: toDecimal(spent),
});
