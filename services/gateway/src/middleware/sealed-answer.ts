import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Keeps answers so that only who names the Idempotency-Key again can read them: the key of the cipher is made of it, and it
 * stands nowhere here. Answers hold what says who somebody is, and outlive those who are erased (docs/adr/0043).
 */
export function sealWith(name: string) {
  const key = createHash('sha256').update(`answer\n${name}`).digest();

  return {
    /** Base64. */
    seal(text: string): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv);
      const sealed = [cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([iv, ...sealed, cipher.getAuthTag()]).toString('base64');
    },

    /** Throws where it was sealed with another key, or altered. */
    open(sealed: string): string {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },

    /** Stands for a text without telling it to who could try out what it may have been. */
    digest: (text: string): string => createHmac('sha256', key).update(text).digest('base64'),
  };
}
