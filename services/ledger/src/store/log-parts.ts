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

/** Hears of what is written. */
export interface CommitListener {
  /** What was just made durable. */
  committed(written: readonly EntryDocument[]): void;
  /** A write failed whose entries may be durable all the same. */
  unheard(): void;
}

/** The same, and whom to tell what becomes of writes. */
export interface FlightParts extends LogParts, CommitListener {}
