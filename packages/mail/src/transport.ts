import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '@laurel/lifecycle';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { toEml } from './eml';
import type { Outgoing, Sender } from './outgoing';
import type { MailConfig } from './settings';

/** Hands one message over; resolves when somebody else is responsible for it. */
export type Deliver = (message: Outgoing) => Promise<void>;

export interface Transports {
  deliver: Deliver;
  close(): void;
}

const SMS_MS_MAX = 10_000;
/**
 * Mails are handed over on few connections, which are kept for a while: greeting a server takes longer than giving it a mail.
 * One that says nothing holds up no mail for the minutes that the library would wait.
 */
const SMTP = {
  pool: true,
  maxConnections: 4,
  connectionTimeout: 30_000,
  socketTimeout: 60_000,
} as const;

/** SMTP and the SMS webhook where they are set; where not, the outbox folder, which the log says since it goes unread. */
export function createTransports(config: MailConfig, logger: Logger): Transports {
  const smtp = config.smtpUrl ? createTransport({ ...SMTP, url: config.smtpUrl }) : undefined;
  const folder = config.mailOutboxDir;
  // Of a host that is not the platform's, servers take no mail.
  const from = config.mailFrom ?? `Laurel <no-reply@${new URL(config.publicUrl).hostname}>`;
  if (!smtp) logger.warn({ folder }, 'SMTP_URL is not set: mails reach nobody but this folder');
  if (!config.smsWebhookUrl)
    logger.warn({ folder }, 'SMS_WEBHOOK_URL is not set: texts reach nobody but this folder');

  async function mail(message: Outgoing): Promise<void> {
    const sender = senderOf(from, message.fromName && spelledOut(message.fromName));
    const letter = { ...message, subject: spelledOut(message.subject ?? '') };
    if (smtp) {
      await smtp.sendMail(composed(letter, sender));
      return;
    }
    const eml = toEml(letter, sender, new Date());
    await writeOutbox(config.mailOutboxDir, `${message.id}.eml`, eml);
  }

  async function text(message: Outgoing): Promise<void> {
    if (config.smsWebhookUrl) return postText(config.smsWebhookUrl, message);
    const content = `To: ${message.to}\n\n${message.text}\n`;
    await writeOutbox(config.mailOutboxDir, `${message.id}.sms.txt`, content);
  }

  return {
    deliver: (message) => (message.channel === 'email' ? mail(message) : text(message)),
    close: () => smtp?.close(),
  };
}

/**
 * Words of a header that mail programs show as they stand. They decode `=?utf-8?B?...?=` wherever they meet it (RFC 2047),
 * so that a name could carry there what names are refused or lose: addresses, other directions of writing, a second name.
 */
const spelledOut = (words: string): string => words.replaceAll('=?', '= ?');

/**
 * The address that the operator may send from, under the name of who writes: `Bean & Leaf` instead of the platform.
 *
 * @param from `Name <address>` or an address
 */
function senderOf(from: string, name: string | undefined): Sender {
  const [, own = '', address = from] = /^\s*"?(.*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? [];
  return { name: name ?? own, address: address.trim() };
}

function composed(message: Outgoing, from: Sender): SendMailOptions {
  return {
    from,
    ...(message.replyTo === undefined ? {} : { replyTo: { name: '', address: message.replyTo } }),
    to: { name: '', address: message.to },
    subject: message.subject ?? '',
    text: message.text,
    ...(message.html === undefined ? {} : { html: message.html }),
    messageId: `<${message.id}@laurel>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

async function postText(url: string, { id, to, text }: Outgoing): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': id },
    body: JSON.stringify({ id, to, text }),
    signal: AbortSignal.timeout(SMS_MS_MAX),
  });
  await response.arrayBuffer();
  const { ok, status } = response;
  if (!ok) throw Object.assign(new Error(`the SMS provider answered ${status}`), { status });
}

/** Under its final name only when whole, so that a watcher of the folder never reads half a mail. */
async function writeOutbox(folder: string, name: string, content: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, name);
  await writeFile(`${file}.part`, content, { mode: 0o600 });
  await rename(`${file}.part`, file);
}
