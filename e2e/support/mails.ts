import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '@laurel/testing';

function outbox(): string {
  const folder = process.env.MAIL_OUTBOX_DIR;
  if (!folder)
    throw new Error('MAIL_OUTBOX_DIR is not set: run the end-to-end tests with npm test');
  return folder;
}

/** Everything that was sent to an address or number so far, oldest first. */
export async function mailsTo(recipient: string): Promise<string[]> {
  const names = (await readdir(outbox()).catch(() => [])).filter((name) => !name.endsWith('.part'));
  const texts = await Promise.all(
    names.sort().map((name) => readFile(path.join(outbox(), name), 'utf8')),
  );
  return texts.filter((text) => text.includes(`To: ${recipient}`));
}

/** The newest message to somebody, once there are `count`. */
export function mailTo(recipient: string, count = 1): Promise<string> {
  return until(
    async () => {
      const mails = await mailsTo(recipient);
      return mails.length >= count ? mails.at(-1)! : null;
    },
    { what: `mail ${count} to ${recipient}` },
  );
}

/** What follows `?token=` in a mail. */
export function tokenIn(mail: string): string {
  const token = /\?token=([A-Za-z0-9_-]+)/.exec(mail)?.[1];
  if (token === undefined) throw new Error(`no link in: ${mail}`);
  return token;
}
