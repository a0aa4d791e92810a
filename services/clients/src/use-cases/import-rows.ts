import { isFinalRefusal } from '@laurel/errors';
import { type CloudEvent, createEvent } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import type { Session } from '@laurel/mongo';
import { emailKeyOf } from '@laurel/values/contact';
import type { Deps } from '../deps';
import {
  type Authorship,
  type Client,
  type ClientFields,
  changeClient,
  changedFieldName,
  type FieldChange,
  newClient,
} from '../domain/client';
import { EMAIL_TAKEN, type ImportMode, outcomeOf } from '../domain/import-outcome';
import type { TrailEvent } from '../domain/trail-event';
import type { ImportError } from '../store/imports';
import { toNews } from '../store/mapping';
import { type InsertDeps, insertTrail } from './insert-trail';
import { isOfOtherPhone } from './other-address';
import { fieldChangeRecords } from './record-field-changes';

/** One row that could be read, under its number in the file. */
export interface ImportRow {
  row: number;
  fields: ClientFields;
}

export interface ImportBatch {
  workspaceId: string;
  mode: ImportMode;
  rows: readonly ImportRow[];
  /** What a new client has that its row does not say. */
  unsaid: Pick<ClientFields, 'loyalty_program_enabled'>;
}

export interface ImportOutcome {
  created: number;
  updated: number;
  errors: ImportError[];
}

interface Touched {
  client: Client;
  isNew: boolean;
  changes: FieldChange[];
}

interface Writing {
  workspaceId: string;
  touched: readonly Touched[];
  authorship: Authorship;
}

type RowDeps = InsertDeps & Pick<Deps, 'clients' | 'addressProofs' | 'outbox'>;

/** Takes rows over in the caller's transaction, in their order: later rows see what earlier ones did. */
export async function importRows(
  deps: RowDeps,
  { workspaceId, mode, rows, unsaid }: ImportBatch,
  { now, session }: { now: Date; session: Session },
): Promise<ImportOutcome> {
  const authorship: Authorship = { source: 'api', now };
  const byEmail = await knownByEmail(deps, { workspaceId, rows }, session);
  const touched = new Set<Touched>();
  const outcome: ImportOutcome = { created: 0, updated: 0, errors: [] };
  for (const { row, fields } of rows) {
    const key = emailKeyOf(fields.email);
    const known = key === null ? undefined : byEmail.get(key);
    const end = outcomeOf(known !== undefined, mode);
    const whole = known ? fields : { ...unsaid, ...fields };
    const taken = end === 'refuse' ? EMAIL_TAKEN : take(known, whole, { workspaceId, authorship });
    if (typeof taken === 'string') {
      outcome.errors.push({ row, message: taken });
      continue;
    }
    if (key !== null) byEmail.set(key, taken);
    touched.add(taken);
    outcome[known ? 'updated' : 'created'] += 1;
  }
  await write(deps, { workspaceId, touched: [...touched], authorship }, session);
  return outcome;
}

/** Whom a row makes, or changes where its address is somebody's; why not, where that is refused. */
function take(
  known: Touched | undefined,
  fields: ClientFields,
  { workspaceId, authorship }: Pick<Writing, 'workspaceId' | 'authorship'>,
): Touched | string {
  try {
    if (!known) {
      const client = newClient({ id: newId(), workspaceId }, fields, authorship);
      return { client, isNew: true, changes: [] };
    }
    const { client, changes } = changeClient(known.client, fields, authorship);
    return Object.assign(known, { client, changes: [...known.changes, ...changes] });
  } catch (error) {
    if (!isFinalRefusal(error)) throw error;
    return error.message;
  }
}

async function knownByEmail(
  { clients }: RowDeps,
  { workspaceId, rows }: Pick<ImportBatch, 'workspaceId' | 'rows'>,
  session: Session,
): Promise<Map<string, Touched>> {
  const emails = rows
    .map(({ fields }) => fields.email)
    .filter((email) => typeof email === 'string');
  const found = emails.length === 0 ? [] : await clients.findByEmails(workspaceId, emails, session);
  return new Map(
    found.map((client) => [emailKeyOf(client.email)!, { client, isNew: false, changes: [] }]),
  );
}

async function write(
  deps: RowDeps,
  { workspaceId, touched, authorship }: Writing,
  session: Session,
): Promise<void> {
  const { clients, outbox } = deps;
  const added = touched.filter(({ isNew }) => isNew).map(({ client }) => client);
  await clients.insertAll(added, session);
  const told: CloudEvent[] = added.map((client) => lifeEvent('clients.created', client, []));
  const changed = touched.filter(({ isNew, changes }) => !isNew && changes.length > 0);
  const written = await clients.replaceAll(
    changed.map(({ client }) => client),
    session,
  );
  // Rows are known by their e-mail address, so that a number is all that becomes another one.
  const clientIds = changed
    .filter(({ changes }) => changes.some(isOfOtherPhone))
    .map(({ client }) => client.id);
  const { now } = authorship;
  if (clientIds.length > 0)
    await deps.addressProofs.withdrawReached(workspaceId, { clientIds, now }, session);
  const rows: TrailEvent[] = [];
  for (const [index, { client, changes }] of changed.entries()) {
    const records = fieldChangeRecords({ client, changes, ...authorship });
    rows.push(...records.rows);
    told.push(...records.told, lifeEvent('clients.updated', written[index]!, changes));
  }
  if (rows.length > 0) await insertTrail(deps, { workspaceId, session }, { rows });
  await outbox.append(told, session);
}

function lifeEvent(
  type: 'clients.created' | 'clients.updated',
  client: Client,
  changes: readonly FieldChange[],
) {
  const envelope = { workspaceId: client.workspace_id, subject: client.id };
  const data = toNews(client);
  if (type === 'clients.created') return createEvent(type, { ...envelope, data });
  const changed_fields = [...new Set(changes.map(changedFieldName))];
  return createEvent(type, { ...envelope, data: { ...data, changed_fields } });
}
