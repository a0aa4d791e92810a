import sharp from 'sharp';
import { stripMetadata } from '../../domain/file/strip-metadata';
import { cleanImage } from './clean-image';

const SECRET = 'Ann at 52.5200 N';
const exif = { IFD0: { ImageDescription: SECRET, Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N' } };
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description>${SECRET}</rdf:Description></rdf:RDF></x:xmpmeta>`;

const picture = () =>
  sharp({ create: { width: 8, height: 4, channels: 3, background: '#c02040' } });
/** A film of three pictures. */
const film = () =>
  sharp(
    Array.from({ length: 3 }, (_, at) => ({
      create: { width: 8, height: 4, channels: 3 as const, background: { r: at * 80, g: 0, b: 0 } },
    })) as never,
    { join: { animated: true } },
  );

const pixelsOf = (content: Buffer) => sharp(content, { animated: true }).raw().toBuffer();

/** A JPEG with a comment of its own and something behind its end. */
function withJpegComment(content: Buffer): Buffer {
  const comment = Buffer.from(SECRET);
  const head = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  return Buffer.concat([
    content.subarray(0, 2),
    head,
    comment,
    content.subarray(2),
    Buffer.from(SECRET),
  ]);
}

/** A GIF with a comment in front of its end. */
function withGifComment(content: Buffer): Buffer {
  const comment = Buffer.from(SECRET);
  const block = Buffer.concat([
    Buffer.from([0x21, 0xfe, comment.length]),
    comment,
    Buffer.from([0, 0x3b]),
  ]);
  return Buffer.concat([content.subarray(0, -1), block]);
}

test.each<[what: string, make: () => Promise<Buffer>]>([
  ['JPEG', () => picture().withExif(exif).withXmp(XMP).jpeg().toBuffer()],
  ['progressive JPEG', () => picture().withExif(exif).jpeg({ progressive: true }).toBuffer()],
  ['JPEG with a comment', async () => withJpegComment(await picture().jpeg().toBuffer())],
  ['PNG', () => picture().withExif(exif).withXmp(XMP).png().toBuffer()],
  [
    'PNG with a trailer',
    async () => Buffer.concat([await picture().png().toBuffer(), Buffer.from(SECRET)]),
  ],
  ['WebP', () => picture().withExif(exif).withXmp(XMP).webp().toBuffer()],
  ['lossless WebP', () => picture().withExif(exif).webp({ lossless: true }).toBuffer()],
  ['moving WebP', () => film().withExif(exif).webp().toBuffer()],
  ['GIF', async () => withGifComment(await picture().gif().toBuffer())],
  ['moving GIF', async () => withGifComment(await film().gif().toBuffer())],
])(
  'a %s loses what it says of people, and no pixel or picture of what it shows',
  async (_what, make) => {
    const content = await make();
    expect(content.includes('Ann at')).toBe(true);
    const clean = (await cleanImage(content))!;
    expect(clean.content.includes('Ann at')).toBe(false);
    expect(clean.content.includes('Camera')).toBe(false);
    const [before, after] = await Promise.all(
      [content, clean.content].map((each) => sharp(each, { animated: true }).metadata()),
    );
    expect(after).not.toHaveProperty('exif');
    expect(after).not.toHaveProperty('xmp');
    expect([after!.pages, after!.delay, after!.loop]).toEqual([
      before!.pages,
      before!.delay,
      before!.loop,
    ]);
    expect(await pixelsOf(clean.content)).toEqual(await pixelsOf(content));
  },
);

test.each(['jpeg', 'png', 'webp'] as const)(
  'a %s that lies on its side is turned',
  async (format) => {
    const content = await picture()
      .withExif(exif)
      .withMetadata({ orientation: 6 })
      [format]()
      .toBuffer();
    const clean = (await cleanImage(content))!;
    const after = await sharp(clean.content).metadata();
    expect([after.width, after.height, after.orientation ?? 1]).toEqual([4, 8, 1]);
    expect([clean.width, clean.height]).toEqual([4, 8]);
    expect(after).not.toHaveProperty('exif');
  },
);

test.each(['jpeg', 'png', 'webp', 'gif'] as const)(
  'a %s that says nothing stays as it is, byte for byte',
  async (format) => {
    const content = await picture()[format]().toBuffer();
    expect((await cleanImage(content))!.content).toEqual(content);
  },
);

/** A film whose pictures are white in the corner of their first row and column, and black elsewhere. */
async function markedFilm() {
  const pixels = Buffer.alloc(8 * 4 * 3);
  for (const at of [0, 1, 8, 9]) pixels.fill(255, at * 3, at * 3 + 3);
  const raw = { width: 8, height: 4, channels: 3 as const };
  const frames = [0, 1].map((at) => {
    const own = Buffer.from(pixels);
    own[own.length / 2] = at * 60;
    return sharp(own, { raw }).png().toBuffer();
  });
  return sharp(await Promise.all(frames), { join: { animated: true } });
}

/** Which corners of a picture are white. */
async function whiteCorners(content: Buffer): Promise<string[]> {
  const { data, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true });
  const isWhite = (x: number, y: number) => data[(y * info.width + x) * info.channels]! > 200;
  const [right, bottom] = [info.width - 1, info.height - 1];
  const corners = { 'top left': [0, 0], 'top right': [right, 0] } as const;
  const lower = { 'bottom left': [0, bottom], 'bottom right': [right, bottom] } as const;
  return Object.entries({ ...corners, ...lower })
    .filter(([, [x, y]]) => isWhite(x, y))
    .map(([name]) => name);
}

test.each([
  [2, 'top right'],
  [3, 'bottom right'],
  [4, 'bottom left'],
  [5, 'top left'],
  [6, 'top right'],
  [7, 'bottom right'],
  [8, 'bottom left'],
])(
  'a moving WebP that lies on its side, by the orientation %i, becomes its first picture, the right way up',
  async (orientation, corner) => {
    const content = await (await markedFilm())
      .withExif(exif)
      .withMetadata({ orientation })
      .webp({ lossless: true })
      .toBuffer();
    expect((await sharp(content).metadata()).orientation).toBe(orientation);
    const clean = (await cleanImage(content))!;
    const after = await sharp(clean.content, { animated: true }).metadata();
    expect([after.pages ?? 1, after.orientation ?? 1]).toEqual([1, 1]);
    const isOnItsSide = orientation >= 5;
    expect([after.width, after.height]).toEqual(isOnItsSide ? [4, 8] : [8, 4]);
    expect(await whiteCorners(clean.content)).toEqual([corner]);
    expect(after).not.toHaveProperty('exif');
  },
);

test('what moves and is too large all together is kept as it is, and is no picture where its parts cannot be made out', async () => {
  const one = await sharp({ create: { width: 8_000, height: 500, channels: 3, background: 'red' } })
    .gif({ effort: 1 })
    .toBuffer();
  const start = 13 + 3 * 2 ** ((one.readUInt8(10) & 7) + 1);
  const frames = Array.from({ length: 11 }, () => one.subarray(start, -1));
  const moving = Buffer.concat([one.subarray(0, start), ...frames, Buffer.from([0x3b])]);
  expect((await cleanImage(moving))!.content).toEqual(moving);
  const broken = Buffer.concat([moving.subarray(0, -1), Buffer.from([0x01, 0x3b])]);
  expect(await cleanImage(broken)).toBeNull();
});

test('a picture within a picture, which no WebP has, is left out and not gone into', async () => {
  const sound = await film().webp().toBuffer();
  const frame = (content: Buffer): Buffer => {
    const head = Buffer.from('ANMF\0\0\0\0');
    head.writeUInt32LE(16 + content.length, 4);
    return Buffer.concat([head, Buffer.alloc(16), content]);
  };
  const nested = Buffer.concat([sound, frame(frame(frame(Buffer.alloc(0))))]);
  nested.writeUInt32LE(nested.length - 8, 4);
  const stripped = stripMetadata(nested, 'image/webp')!;
  const kept = Buffer.concat([sound, frame(Buffer.alloc(0))]);
  expect(stripped.subarray(12)).toEqual(kept.subarray(12));
});

test('what is no sound picture is none', async () => {
  const content = await picture().jpeg().toBuffer();
  expect(await cleanImage(content.subarray(0, 100))).toBeNull();
  expect(await cleanImage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeNull();
});
