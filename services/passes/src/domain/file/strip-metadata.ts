/** What is left out of a picture: everything that draws nothing, such as places, cameras, names and comments. */
type Strip = (content: Buffer) => Buffer;

const STRIPS: Readonly<Record<string, Strip>> = {
  'image/png': stripPng,
  'image/jpeg': stripJpeg,
  'image/gif': stripGif,
  'image/webp': stripWebp,
};

/**
 * The picture without what it says besides what it shows, otherwise byte for byte the same: nothing is drawn anew, and
 * what moves still moves. Null where its parts cannot be made out.
 */
export function stripMetadata(content: Buffer, mimeType: string): Buffer | null {
  try {
    return STRIPS[mimeType]?.(content) ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const PNG_HEAD = 8;
/** Of which a PNG, moving or not, is drawn. */
const PNG_CHUNKS = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
);

function stripPng(content: Buffer): Buffer {
  const kept: Buffer[] = [content.subarray(0, PNG_HEAD)];
  for (let at = PNG_HEAD; ; ) {
    const type = content.toString('latin1', at + 4, at + 8);
    const end = at + 12 + content.readUInt32BE(at);
    if (end > content.length) throw new RangeError('a chunk is cut off');
    if (PNG_CHUNKS.has(type)) kept.push(content.subarray(at, end));
    if (type === 'IEND') return Buffer.concat(kept);
    at = end;
  }
}

const [SOI, EOI, SOS, COM] = [0xd8, 0xd9, 0xda, 0xfe];
const [APP0, APP2, APP14, APP15] = [0xe0, 0xe2, 0xee, 0xef];

function stripJpeg(content: Buffer): Buffer {
  const kept: Buffer[] = [Buffer.from([0xff, SOI])];
  for (let at = 2; ; ) {
    if (content.readUInt8(at) !== 0xff) throw new RangeError('no marker');
    const marker = content.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === EOI) return Buffer.concat([...kept, Buffer.from([0xff, EOI])]);
    let end = at + 2 + content.readUInt16BE(at + 2);
    if (end > content.length) throw new RangeError('a segment is cut off');
    if (marker === SOS) end = endOfScan(content, end);
    if (isJpegKept(marker, content.subarray(at + 4, end))) kept.push(content.subarray(at, end));
    at = end;
  }
}

/** Colours depend on three of the segments that applications may add; all others go. */
function isJpegKept(marker: number, body: Buffer): boolean {
  const isNamed = (name: string) => body.toString('latin1', 0, name.length) === name;
  if (marker === APP0) return isNamed('JFIF\0');
  if (marker === APP2) return isNamed('ICC_PROFILE\0');
  if (marker === APP14) return isNamed('Adobe');
  return marker !== COM && !(marker > APP0 && marker <= APP15);
}

/** Where the drawing data of a scan ends: at the first marker that is neither an escaped byte nor a restart. */
function endOfScan(content: Buffer, start: number): number {
  for (let at = content.indexOf(0xff, start); at !== -1; at = content.indexOf(0xff, at + 1)) {
    const next = content.readUInt8(at + 1);
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
  }
  throw new RangeError('the scan does not end');
}

const [GIF_EXTENSION, GIF_IMAGE, GIF_END] = [0x21, 0x2c, 0x3b];
const GIF_CONTROL = 0xf9;
const GIF_APPLICATION = 0xff;
const GIF_LOOPS = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

function stripGif(content: Buffer): Buffer {
  const coloursOf = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);
  const start = 13 + coloursOf(content.readUInt8(10));
  const kept: Buffer[] = [content.subarray(0, start)];
  for (let at = start; ; ) {
    const kind = content.readUInt8(at);
    if (kind === GIF_END) return Buffer.concat([...kept, Buffer.from([GIF_END])]);
    if (kind !== GIF_IMAGE && kind !== GIF_EXTENSION) throw new RangeError('no block');
    const data = kind === GIF_IMAGE ? at + 11 + coloursOf(content.readUInt8(at + 9)) : at + 2;
    const end = endOfGifBlocks(content, data);
    if (kind === GIF_IMAGE || isGifKept(content, at)) kept.push(content.subarray(at, end));
    at = end;
  }
}

function isGifKept(content: Buffer, at: number): boolean {
  const label = content.readUInt8(at + 1);
  const name = content.toString('latin1', at + 3, at + 14);
  return label === GIF_CONTROL || (label === GIF_APPLICATION && GIF_LOOPS.includes(name));
}

function endOfGifBlocks(content: Buffer, start: number): number {
  let at = start;
  while (content.readUInt8(at) !== 0) at += 1 + content.readUInt8(at);
  return at + 1;
}

const RIFF_HEAD = 12;
const WEBP_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ANIM', 'ANMF', 'ALPH', 'ICCP']);
/** Of which one picture of several is drawn: it holds no other one. */
const FRAME_CHUNKS = new Set(['VP8 ', 'VP8L', 'ALPH']);
/** Of the flags of VP8X: that there is EXIF, that there is XMP. */
const WEBP_SAYS_METADATA = 0x0c;
const FRAME_HEAD = 16;

function stripWebp(content: Buffer): Buffer {
  const size = Math.min(content.length, 8 + content.readUInt32LE(4));
  const body = stripChunks(content.subarray(RIFF_HEAD, size), WEBP_CHUNKS);
  const head = Buffer.from(content.subarray(0, RIFF_HEAD));
  head.writeUInt32LE(4 + body.length, 4);
  return Buffer.concat([head, body]);
}

function stripChunks(body: Buffer, named: ReadonlySet<string>): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const type = body.toString('latin1', at, at + 4);
    const size = body.readUInt32LE(at + 4);
    if (at + 8 + size > body.length) throw new RangeError('a chunk is cut off');
    const data = body.subarray(at + 8, at + 8 + size);
    if (named.has(type)) kept.push(chunk(type, stripped(type, data)));
    at += 8 + size + (size % 2);
  }
  return Buffer.concat(kept);
}

function stripped(type: string, data: Buffer): Buffer {
  if (type === 'ANMF') {
    const frame = stripChunks(data.subarray(FRAME_HEAD), FRAME_CHUNKS);
    return Buffer.concat([data.subarray(0, FRAME_HEAD), frame]);
  }
  if (type !== 'VP8X') return data;
  const flags = Buffer.from(data);
  flags.writeUInt8(flags.readUInt8(0) & ~WEBP_SAYS_METADATA, 0);
  return flags;
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
