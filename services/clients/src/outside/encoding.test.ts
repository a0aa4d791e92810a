import fc from 'fast-check';
import iconv from 'iconv-lite';
import type { Encoding } from '../domain/file-format';
import { decoderOf, EncodingDetector } from './encoding';

function decoded(bytes: Buffer, size: number): { encoding: Encoding; text: string } {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  const detector = new EncodingDetector();
  for (const piece of pieces) detector.push(piece);
  const { encoding, markBytes } = detector.end();
  const decoder = decoderOf(encoding);
  let skip = markBytes;
  let text = '';
  for (const piece of pieces) {
    text += decoder.write(piece.subarray(skip));
    skip = Math.max(skip - piece.length, 0);
  }
  return { encoding, text: text + decoder.end() };
}

const text = fc.string({ unit: 'grapheme', minLength: 1 });
const size = fc.integer({ min: 1, max: 5 });

test('UTF-8 and marked UTF-16 are known by their bytes and come back whole, wherever they are cut', () => {
  fc.assert(
    fc.property(text, size, (said, cut) => {
      const plain = said.replace(/^\ufeff+/, '');
      if (plain !== '') {
        expect(decoded(Buffer.from(plain), cut)).toEqual({ encoding: 'utf-8', text: plain });
      }
      const marked: [Encoding, Buffer][] = [
        ['utf-8', Buffer.from(`\ufeff${said}`)],
        ['utf-16le', iconv.encode(said, 'utf-16le', { addBOM: true })],
        ['utf-16be', iconv.encode(said, 'utf-16be', { addBOM: true })],
      ];
      for (const [encoding, bytes] of marked) {
        expect(decoded(bytes, cut)).toEqual({ encoding, text: said });
      }
    }),
  );
});

test('what is neither is Windows-1252, with the euro and the quotes that Latin-1 lacks', () => {
  const bytes = Buffer.from([0x4a, 0x6f, 0x73, 0xe9, 0x20, 0x80, 0x93, 0x4d, 0xfc, 0x94, 0x8a]);
  expect(decoded(bytes, 3)).toEqual({ encoding: 'windows-1252', text: 'José €“Mü”Š' });
});
