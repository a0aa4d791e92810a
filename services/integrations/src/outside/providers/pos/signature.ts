import { createSecretKey, timingSafeEqual } from 'node:crypto';
import { secretKey, signatureHeader } from '../../../domain/signature';
import type { Account, Inbound } from '../provider';

/** A message older than that may be somebody else's copy. */
const AGE_SECONDS_MAX = 300;

/** Whether the till signed the message (Standard Webhooks), where a webhook_secret is set. */
export const isGenuine: Inbound['isGenuine'] = (
  { secrets }: Account,
  { body, headers, now },
): boolean => {
  const secret = secrets.webhook_secret;
  if (secret === undefined) return true;
  const id = headers['webhook-id'];
  const timestamp = Number(headers['webhook-timestamp']);
  const given = headers['webhook-signature'];
  if (id === undefined || given === undefined || !Number.isInteger(timestamp)) return false;
  if (Math.abs(now.getTime() / 1_000 - timestamp) > AGE_SECONDS_MAX) return false;
  const key = secret.startsWith('whsec_') ? secretKey(secret) : createSecretKey(secret, 'utf8');
  const expected = Buffer.from(
    signatureHeader([key], { id, timestamp, body: body.toString('utf8') }),
  );
  return given.split(' ').some((one) => isSame(Buffer.from(one), expected));
};

const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
