import type { Language, ShopMailKind } from '@laurel/contract';
import { defaultMailText, type MailText, placeholdersOf } from '@laurel/mail';
import { etagOf } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import { type MailName, type MailTextState, versionOfWords } from '../store/mail-texts';

/** A mail as its owner changes it: the words that it has now, the platform's, and what they may name. */
export function mailReply(
  kind: ShopMailKind,
  language: Language,
  own: { words: MailText; updated_at: Date } | null,
): identity.ShopMail {
  const usual = defaultMailText(kind, language);
  return {
    kind,
    language,
    words: own?.words ?? usual,
    default_words: usual,
    is_own: own !== null,
    date_updated: own?.updated_at.toISOString() ?? null,
    placeholders: placeholdersOf(kind).map(({ name, sample, isRequired = false }) => ({
      name,
      sample,
      is_required: isRequired,
    })),
  };
}

/** The same with the version of its words. */
export function versionedMail({ kind, language }: MailName, row: MailTextState): identity.ShopMail {
  return { ...mailReply(kind, language, row), etag: etagOf(versionOfWords(row)) };
}
