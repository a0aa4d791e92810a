import type { Logger } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { EntryDocument } from './documents';
import type { EntryStore } from './entries';
import type { Heads } from './heads';
import type { Snapshots } from './snapshots';
import type { TypeUses } from './type-uses';

/** What the log works with. */
export interface LogParts {
  connection: Connection;
  entries: EntryStore;
  heads: Heads;
  snapshots: Snapshots;
  typeUses: TypeUses;
  logger: Logger;
  now: (workspaceId?: string) => number;
}

export type CommitListener = (written: readonly EntryDocument[]) => void;

/** The same, and whom to tell what was made durable. */
export interface FlightParts extends LogParts {
  committed: CommitListener;
}
