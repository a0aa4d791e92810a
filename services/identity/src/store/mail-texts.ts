import type { Language, ShopMailKind } from '@laurel/contract';
import type { MailText } from '@laurel/mail';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';

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
  updated_at: Date;
}

export const mailTextIndexes: CollectionIndexes = {
  collection: 'mail_texts',
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }],
};

/** The words that workspaces have put in the place of the platform's; a mail without a row has those. */
export function createMailTextStore(connection: Connection) {
  const rows = connection.collection<MailTextRow>('mail_texts');
  const idOf = (workspaceId: string, { kind, language }: MailName) =>
    `${workspaceId}:${kind}:${language}`;
  return {
    find: (workspaceId: string, name: MailName, session?: Session) =>
      rows.findOne({ _id: idOf(workspaceId, name) }, { session }),
    list: (workspaceId: string, language: Language) =>
      rows.find({ workspace_id: workspaceId, language }).toArray(),
    put: (
      workspaceId: string,
      { kind, language }: MailName,
      { words, now }: { words: MailText; now: Date },
      session: Session,
    ) =>
      rows.findOneAndUpdate(
        { _id: idOf(workspaceId, { kind, language }) },
        { $set: { workspace_id: workspaceId, kind, language, words, updated_at: now } },
        { upsert: true, returnDocument: 'after', session },
      ),
    async remove(workspaceId: string, name: MailName, session: Session): Promise<void> {
      await rows.deleteOne({ _id: idOf(workspaceId, name) }, { session });
    },
    async removeAll(workspaceId: string, session: Session): Promise<void> {
      await rows.deleteMany({ workspace_id: workspaceId }, { session });
    },
  };
}

export type MailTextStore = ReturnType<typeof createMailTextStore>;
