import type { Outgoing, Sender } from './outgoing';

/**
 * A message as an .eml file: 8-bit text, so that links and codes stand in it as they are, for people
 * and programs that read the outbox folder of a platform without a mail server.
 */
export function toEml(message: Outgoing, from: Sender, at: Date): string {
  const head = [
    `From: ${mailbox(from)}`,
    ...(message.replyTo === undefined ? [] : [`Reply-To: ${header(message.replyTo)}`]),
    `To: ${header(message.to)}`,
    `Subject: ${header(message.subject ?? '')}`,
    `Message-ID: <${message.id}@laurel>`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
  ];
  const plain = part('text/plain', message.text);
  if (message.html === undefined) return lines([...head, ...plain]);
  const boundary = `laurel-${message.id}`;
  return lines([
    ...head,
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    ...plain,
    `--${boundary}`,
    ...part('text/html', message.html),
    `--${boundary}--`,
  ]);
}

/** What stands in a header as it is. */
const ASCII = /^[\x20-\x7e\r\n]*$/;

function part(type: string, content: string): string[] {
  return [
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: 8bit',
    '',
    ...content.split(/\r?\n/),
    '',
  ];
}

/** A name beyond plain words is quoted, so that a comma in it begins no second address. */
function mailbox({ name, address }: Sender): string {
  if (name === '') return header(address);
  const line = header(name);
  const isPlain = /^[\w ]+$/.test(line) || !ASCII.test(name);
  return `${isPlain ? line : `"${line.replace(/["\\]/g, '\\$&')}"`} <${header(address)}>`;
}

/** One line, whatever was put in; words beyond ASCII as RFC 2047 asks. */
function header(value: string): string {
  const line = value.replace(/[\r\n]+/g, ' ');
  return ASCII.test(line) ? line : `=?UTF-8?B?${Buffer.from(line, 'utf8').toString('base64')}?=`;
}

const lines = (all: string[]): string => `${all.join('\r\n')}\r\n`;
