/** The bytes that a text stands for; none where it is not exactly what these bytes are written as, which Node reads over. */
export function fromBase64url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : Buffer.alloc(0);
}
