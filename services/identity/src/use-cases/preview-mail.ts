import { type ShopWriter, sampleLetter, writeLetter } from '@laurel/mail';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { mailNamed, requireMailWords } from './check-mail-words';
import { writerOf } from './writer-of';

/** A mail as it would leave now, with samples in its placeholders; with words that are not kept where some are given. */
export async function previewMail(
  { workspaces, mailTexts, config }: Deps,
  { workspace_id, mail, words }: identity.PreviewMailRequest,
): Promise<identity.MailPreview> {
  const name = mailNamed(mail!);
  const [workspace, kept] = await Promise.all([
    workspaces.find(workspace_id),
    mailTexts.find(workspace_id, name),
  ]);
  if (!workspace) throw refusals.notAMember();
  const own = words ? requireMailWords(name, words) : (kept?.words ?? null);
  const writer: ShopWriter = { ...writerOf({ config }, workspace), language: name.language, own };
  const written = writeLetter(sampleLetter(writer, name.kind, config.publicUrl));
  const { subject, text, html, fromName = '', replyTo = null } = written;
  return { subject, text, html, from_name: fromName, reply_to: replyTo };
}
