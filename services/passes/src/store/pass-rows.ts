import { collection } from '@laurel/mongo';
import { dueIndex } from '@laurel/work';
import type { PassDocument } from './pass-document';

/** When a pass's temporary template ends. */
export const EXPIRED = { column: 'template_expires_at' };
export const NEWEST = { date_created: -1, _id: -1 } as const;

export const passes = collection<PassDocument>('passes', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'by hand: use-cases/pass/move-client.ts',
    anonymized: 'by hand: use-cases/pass/forget-client.ts',
    deleted: 'by hand: use-cases/pass/forget-client.ts',
    exported: 'by hand: use-cases/export-client.ts',
  },
  growth: {
    per: 'pass',
    end: 'stays: until somebody deletes it',
    shardKey: 'hashed _id',
    wayOut: {
      barcode_unique:
        'a slot: a document whose `_id` is the digest of what must be one, taken before the row (the barcode)',
      one_per_client:
        'a slot: a document whose `_id` is the digest of what must be one, taken before the row (client and template)',
    },
  },
  indexes: [
    { key: { workspace_id: 1, ...NEWEST }, name: 'newest' },
    { key: { workspace_id: 1, project_id: 1, ...NEWEST }, name: 'of_project' },
    { key: { workspace_id: 1, pass_template_id: 1, _id: 1 }, name: 'of_template' },
    { key: { workspace_id: 1, barcode_value: 1 }, name: 'barcode_unique', unique: true },
    {
      key: { workspace_id: 1, client_id: 1, pass_template_id: 1 },
      name: 'one_per_client',
      unique: true,
      partialFilterExpression: { client_id: { $exists: true } },
    },
    dueIndex(EXPIRED),
    {
      key: { workspace_id: 1, previous_template_id: 1 },
      name: 'coming_back',
      partialFilterExpression: { previous_template_id: { $exists: true } },
    },
    {
      key: { workspace_id: 1, 'tier_template.before': 1 },
      name: 'before_tier',
      partialFilterExpression: { 'tier_template.before': { $exists: true } },
    },
  ],
});
