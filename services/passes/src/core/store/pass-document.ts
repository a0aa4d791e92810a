import type { JsonObject } from '@laurel/errors';
import type { Pass } from '../domain/pass';

/** Left out of the document where they are null, because indexes cover only documents that have them. */
const SPARSE = ['client_id', 'template_expires_at', 'previous_template_id'] as const;
type Sparse = (typeof SPARSE)[number];

/** Overrides are kept as text: their names may be anything, those of stored members may not. */
export interface PassDocument extends Omit<Pass, 'id' | 'pass_fields' | Sparse> {
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

export function toPass({ _id, pass_fields_json, ...columns }: PassDocument): Pass {
  const { client_id = null, template_expires_at = null, previous_template_id = null } = columns;
  const sparse = { client_id, template_expires_at, previous_template_id };
  const passFields = JSON.parse(pass_fields_json) as JsonObject;
  return { ...columns, ...sparse, id: _id, pass_fields: passFields };
}
