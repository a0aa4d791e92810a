import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '@laurel/testing';

function outbox(): string {
  const folder = process.env.MAIL_OUTBOX_DIR;
  if (!folder)
    throw new Error('MAIL_OUTBOX_DIR is not set: run the end-to-end tests with npm test');
  return folder;
}

/** The mail that everybody gets who registers; tests about other mails do not count it. */
const CONFIRM = 'Subject: Confirm your e-mail address';

async function allMailsTo(recipient: string): Promise<string[]> {
  const names = (await readdir(outbox()).catch(() => [])).filter((name) => !name.endsWith('.part'));
  const texts = await Promise.all(
    names.sort().map((name) => readFile(path.join(outbox(), name), 'utf8')),
  );
  return texts.filter((text) => text.includes(`To: ${recipient}`));
}

/** Everything but confirmations that was sent to an address or number so far, oldest first. */
export async function mailsTo(recipient: string): Promise<string[]> {
  return (await allMailsTo(recipient)).filter((mail) => !mail.includes(CONFIRM));
}

/** Every mail with a link that verifies the address, oldest first. */
export async function confirmationsTo(recipient: string): Promise<string[]> {
  return (await allMailsTo(recipient)).filter((mail) => mail.includes(CONFIRM));
}

function newest(
  mails: () => Promise<string[]>,
  { count, what }: { count: number; what: string },
): Promise<string> {
  return until(
    async () => {
      const sent = await mails();
      return sent.length >= count ? sent.at(-1)! : null;
    },
    { what },
  );
}

/** The newest message to somebody, once there are `count`. */
export function mailTo(recipient: string, count = 1): Promise<string> {
  return newest(() => mailsTo(recipient), { count, what: `mail ${count} to ${recipient}` });
}

/** The newest mail with a link that verifies an address, once there are `count`. */
export function confirmationTo(recipient: string, count = 1): Promise<string> {
  const what = `confirmation ${count} to ${recipient}`;
  return newest(() => confirmationsTo(recipient), { count, what });
}

/** What follows `?token=` in a mail. */
export function tokenIn(mail: string): string {
  const token = /\?token=([A-Za-z0-9_-]+)/.exec(mail)?.[1];
  if (token === undefined) throw new Error(`no link in: ${mail}`);
  return token;
}
