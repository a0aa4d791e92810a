import { UUID_PATTERN } from '@laurel/contract';
import { complaintAboutUrl } from '@laurel/outbound';

const CUSTOM_FIELD = /^\$\{\s*custom_fields\.([^{}\s]+)\s*\}$/;

/** Where a picture of a template comes from (part 2, Interpolation). */
export type ImageSource =
  | { kind: 'empty' }
  | { kind: 'uuid'; fileId: string }
  | { kind: 'custom_field'; name: string }
  | { kind: 'url'; url: string; complaint: string | null };

/** What an image source names. Whatever is neither an id nor a placeholder is meant as an address. */
export function parseImageSource(raw: string): ImageSource {
  const text = raw.trim();
  if (text === '') return { kind: 'empty' };
  if (UUID_PATTERN.test(text)) return { kind: 'uuid', fileId: text.toLowerCase() };
  const name = CUSTOM_FIELD.exec(text)?.[1];
  if (name !== undefined) return { kind: 'custom_field', name };
  return { kind: 'url', url: text, complaint: complaintAboutUrl(text, { allowInsecure: false }) };
}
