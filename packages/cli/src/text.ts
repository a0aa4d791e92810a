import { UsageError } from './failures';

/**
 * Bytes as the text that they are. Those of another encoding would lose letters without a word, so they are refused.
 *
 * @param name what they are, as their author knows it
 * @param keepsMark leaves the mark at the beginning of a file where it is
 * @throws UsageError
 */
export function textOf(
  bytes: Uint8Array,
  name: string,
  { keepsMark = false }: { keepsMark?: boolean } = {},
): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark }).decode(bytes);
  } catch {
    throw new UsageError(`${name} is not in UTF-8`);
  }
}
