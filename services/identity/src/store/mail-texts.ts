import type { Language, ShopMailKind } from '@laurel/contract';
import { newId } from '@laurel/lifecycle';
import type { MailText } from '@laurel/mail';
import {
  type Connection,
  collection,
  orStale,
  type Session,
  StaleWrite,
  type Version,
} from '@laurel/mongo';

/** Which mail, in which language. */
export interface MailName {
  kind: ShopMailKind;
  language: Language;
}

export interface MailTextRow {
  _id: string;
  workspace_id: string;
  kind: ShopMailKind;
  language: Language;
  words: MailText;
  /** Another one whenever they are put; rows of before have none. */
  version?: string;
  updated_at: Date;
}

/** A mail without a row has the platform's words. */
export type MailTextState = MailTextRow | null;

/** A mail's words as conditions look at them: to put the same ones again is another version. */
export const versionOfWords = (row: MailTextState): Version => ({
  id: row ? (row.version ?? String(row.updated_at.getTime())) : 'platform',
  changedAt: row?.updated_at,
});

export const mailTexts = collection<MailTextRow>('mail_texts', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'copied',
  growth: {
    per: 'mail and language',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }],
});

const idOf = (workspaceId: string, { kind, language }: MailName): string =>
  `${workspaceId}:${kind}:${language}`;

/** The words that workspaces have put in the place of the platform's; a mail without a row has those. */
export function createMailTextStore(connection: Connection) {
  const rows = mailTexts.open(connection);
  return {
    find: (workspaceId: string, name: MailName, session?: Session) =>
      rows.of(workspaceId).findOne({ _id: idOf(workspaceId, name) }, { session }),

    list: (workspaceId: string, language: Language) =>
      rows.of(workspaceId).find({ language }).toArray(),

    /** Puts words in the place of those that were read; throws StaleWrite where there are others by now. */
    async put(
      { workspaceId, read }: { workspaceId: string; read: MailTextState },
      { words, now, ...name }: MailName & { words: MailText; now: Date },
      session: Session,
    ): Promise<MailTextRow> {
      const change = { words, updated_at: now, version: newId() };
      if (!read) {
        const row = { _id: idOf(workspaceId, name), workspace_id: workspaceId, ...name, ...change };
        await orStale('the mail', rows.insertOne(row, { session }));
        return row;
      }
      const written = await rows
        .of(workspaceId)
        .findOneAndUpdate(asWasRead(read), { $set: change }, { returnDocument: 'after', session });
      if (!written) throw new StaleWrite('the mail');
      return written;
    },

    /** Takes away what was read; throws StaleWrite where there is something else by now. */
    async remove(read: MailTextRow, session: Session): Promise<void> {
      const { deletedCount } = await rows
        .of(read.workspace_id)
        .deleteOne(asWasRead(read), { session });
      if (deletedCount === 0) throw new StaleWrite('the mail');
    },
  };
}

/** Null finds where nothing is, as in rows of before. */
const asWasRead = ({ _id, version }: MailTextRow) => ({
  _id,
  version: (version ?? null) as string,
});
