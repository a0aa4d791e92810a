import type { Input } from '../../routing/route';
import { Joi, nullable, queryList, uuid } from '../../schema/types';

/** What of a customer stands with rows about them. */
const person = Joi.object({
  id: uuid().required(),
  first_name: nullable(Joi.string()).required(),
  last_name: nullable(Joi.string()).required(),
  email: nullable(Joi.string()).required(),
}).meta({ name: 'PersonOfRow' });

/** The member of the query by which lists answer whose their rows are: ids alone would mean a call for each. */
export const expandClient = queryList(Joi.string().valid('client')).description(
  'client: the client whom each row is about.',
);
/** With `expand=client`; null for somebody who is gone. */
export const clientOfRow = person.allow(null);

/** The rows with whose they are, where that was asked for: one call for all of them. A row may be without a client. */
export async function withClients<Row extends { client_id?: string | null | undefined }>(
  { rpc, workspaceId: workspace_id }: Pick<Input<string, unknown, unknown>, 'rpc' | 'workspaceId'>,
  rows: readonly Row[],
  expand: readonly string[] | undefined,
): Promise<readonly Row[]> {
  if (!expand?.includes('client') || rows.length === 0) return rows;
  const ids = [...new Set(rows.flatMap(({ client_id }) => client_id ?? []))];
  const { clients } = await rpc.clients.GetClients({ workspace_id, ids });
  const people = new Map(
    clients.map(({ id, first_name = null, last_name = null, email = null }) => [
      id,
      { id, first_name, last_name, email },
    ]),
  );
  return rows.map((row) => ({ ...row, client: people.get(row.client_id ?? '') ?? null }));
}
