import type { JsonObject } from '@laurel/errors';
import { decodeCursor, isTime } from '@laurel/mongo';
import type { Pass } from '../domain/pass/pass';

/** Left out of the document where they are null, because indexes cover only documents that have them. */
const SPARSE = ['client_id', 'template_expires_at', 'previous_template_id'] as const;
type Sparse = (typeof SPARSE)[number];

/** Columns that passes written by earlier versions lack. */
const LATER = {
  notification_fields: null,
  notification_count: 0,
  notification_repeat: 0,
  notification_queue: null,
  notification_shown: null,
  barcode_given: null,
  barcode_spare: null,
  status: 'active',
  expires_at: null,
  expiry_given: null,
  retired: false,
  link_generation: 0,
  handed_out: null,
  safe_generation: null,
  held_since: null,
  tier_field: null,
} as const satisfies Partial<Pass>;
type Later = keyof typeof LATER;

/** Overrides are kept as text: their names may be anything, those of stored members may not. */
export interface PassDocument
  extends Omit<Pass, 'id' | 'pass_fields' | Sparse | Later>,
    Partial<Pick<Pass, Later>> {
  _id: string;
  client_id?: string;
  template_expires_at?: Date;
  previous_template_id?: string;
  pass_fields_json: string;
}

export function toDocument({ id, pass_fields, ...columns }: Pass): PassDocument {
  const document = { _id: id, ...columns, pass_fields_json: JSON.stringify(pass_fields) };
  const absent = SPARSE.filter((name) => columns[name] === null);
  for (const name of absent) delete (document as Partial<typeof document>)[name];
  return document as PassDocument;
}

/** Links that an earlier version made anew are safe: it did so at a proof, or where the pass was taken from a client. */
export function toPass({ _id, pass_fields_json, ...columns }: PassDocument): Pass {
  const { client_id = null, template_expires_at = null, previous_template_id = null } = columns;
  const sparse = { client_id, template_expires_at, previous_template_id };
  const passFields = JSON.parse(pass_fields_json) as JsonObject;
  const later = { ...LATER, safe_generation: columns.link_generation || null };
  return { ...later, ...columns, ...sparse, id: _id, pass_fields: passFields };
}

/** The place of a pass in a list that is newest first. */
type Position = [number, string];

/** What comes after a place in such a list. */
export function afterCursor(cursor: string) {
  const [time, id] = decodeCursor<Position>(
    cursor,
    (value): value is Position =>
      Array.isArray(value) && isTime(value[0]) && typeof value[1] === 'string',
  );
  const at = new Date(time);
  return { $or: [{ date_created: { $lt: at } }, { date_created: at, _id: { $lt: id } }] };
}

export const positionOf = ({
  date_created,
  _id,
}: Pick<PassDocument, 'date_created' | '_id'>): Position => [date_created.getTime(), _id];
