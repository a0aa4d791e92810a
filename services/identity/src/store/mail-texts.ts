import type { Language, ShopMailKind } from '@laurel/contract';
import type { MailText } from '@laurel/mail';
import { type Connection, collection, type Session } from '@laurel/mongo';

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

    put: (
      workspaceId: string,
      { words, now, ...name }: MailName & { words: MailText; now: Date },
      session: Session,
    ) =>
      rows
        .of(workspaceId)
        .findOneAndUpdate(
          { _id: idOf(workspaceId, name) },
          { $set: { ...name, words, updated_at: now } },
          { upsert: true, returnDocument: 'after', session },
        ),

    async remove(workspaceId: string, name: MailName, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: idOf(workspaceId, name) }, { session });
    },
  };
}
