import iconv from 'iconv-lite';
import type { Encoding } from '../domain/file-format';

const BYTE_ORDER_MARKS: readonly [Encoding, Buffer][] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];
const MARK_BYTES_MAX = 3;

/** What decoders put where the bytes are no character. */
export const REPLACEMENT = '\ufffd';

/**
 * Tells how a file is written (part 4, section 9): UTF-16 by its byte order mark, UTF-8 by its mark or because all of
 * it is UTF-8, and Windows-1252 otherwise, which is what spreadsheets write who write neither.
 */
export class EncodingDetector {
  private head: Buffer = Buffer.alloc(0);
  private isUtf8 = true;
  private readonly utf8 = new TextDecoder('utf-8', { fatal: true });

  /** Takes the next piece of the file. */
  push(piece: Buffer): void {
    if (this.head.length < MARK_BYTES_MAX) {
      this.head = Buffer.concat([this.head, piece.subarray(0, MARK_BYTES_MAX)]);
    }
    this.checkUtf8(() => this.utf8.decode(piece, { stream: true }));
  }

  /** The encoding of what was pushed, and how many bytes its mark has. */
  end(): { encoding: Encoding; markBytes: number } {
    this.checkUtf8(() => this.utf8.decode());
    for (const [encoding, mark] of BYTE_ORDER_MARKS) {
      const isMarked = this.head.subarray(0, mark.length).equals(mark);
      if (isMarked && (encoding !== 'utf-8' || this.isUtf8)) {
        return { encoding, markBytes: mark.length };
      }
    }
    return { encoding: this.isUtf8 ? 'utf-8' : 'windows-1252', markBytes: 0 };
  }

  private checkUtf8(decode: () => void): void {
    if (!this.isUtf8) return;
    try {
      decode();
    } catch {
      this.isUtf8 = false;
    }
  }
}

/** Turns bytes that arrive in pieces into text. */
export interface Decoder {
  write(bytes: Buffer): string;
  /** What the last piece left over. */
  end(): string;
}

/**
 * A decoder that begins behind the byte order mark. Windows-1252 is decoded in full: the TextDecoder of some runtimes
 * leaves the euro and the curly quotes of 0x80-0x9F as control characters.
 */
export function decoderOf(encoding: Encoding): Decoder {
  if (encoding === 'windows-1252') {
    const decoder = iconv.getDecoder(encoding);
    return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? '' };
  }
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  };
}
