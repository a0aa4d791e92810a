import sharp from 'sharp';
import { hasStrip } from '../../domain/wallet/apple-pass';
import type { Line } from '../../domain/wallet/line';
import type { PassView } from '../../domain/wallet/view';
import { STRIP, THUMBNAIL, TICKET_STRIP } from '../apple/images';
import { barcodePng } from './barcode';
import { type Box, box, drawPng, picture } from './drawing';

/** The pictures of a card, as they were given. */
export interface Pictures {
  /** Never absent: phones refuse a pass without one. */
  icon: Buffer;
  logo: Buffer | null;
  cover: Buffer | null;
}

const PIXELS_PER_POINT = 2;
const WIDTH = 375;
const PADDING = 16;
const FRAME = 12;
const TOP_WIDTH = 110;
const COLUMNS_MAX = 4;
const COLUMN_GAP = 8;
const ICON_SIDE = 36;
const LOGO_ROOM = { height: 40, maxWidth: 120 };
const BARCODE_SIDE = 150;
const BARCODE_WIDE = { width: 290, height: 84 };

/**
 * The pictures no larger than a card shows them: photographs of megabytes would be unpacked for each drawing. One
 * that is smaller stays as it is.
 */
export async function shrunkPictures({ icon, logo, cover }: Pictures): Promise<Pictures> {
  const to = (image: Buffer, width: number, height: number) =>
    sharp(image)
      .autoOrient()
      .resize({
        width: width * PIXELS_PER_POINT,
        height: height * PIXELS_PER_POINT,
        fit: 'outside',
        withoutEnlargement: true,
      })
      .png()
      .toBuffer();
  const [smallIcon, smallLogo, smallCover] = await Promise.all([
    to(icon, ICON_SIDE, ICON_SIDE),
    logo && to(logo, LOGO_ROOM.maxWidth, LOGO_ROOM.height),
    cover && to(cover, WIDTH, STRIP.height),
  ]);
  return { icon: smallIcon, logo: smallLogo, cover: smallCover };
}

/** A pass as it looks in a wallet, as PNG. */
export async function drawCard(
  view: PassView,
  pictures: Pictures,
  platform: 'apple' | 'google',
): Promise<Buffer> {
  const parts =
    platform === 'apple' ? await appleCard(view, pictures) : await googleCard(view, pictures);
  const frame = { padding: FRAME, backgroundColor: '#E5E7EB', fontFamily: 'Inter' };
  return drawPng(box({ ...frame, flexDirection: 'column' }, parts), { width: WIDTH + 2 * FRAME });
}

async function appleCard(view: PassView, pictures: Pictures): Promise<Box> {
  const strip = hasStrip(view) && pictures.cover !== null;
  const primary = hasStrip(view) ? [] : view.front.slice(0, 1);
  const secondary = view.front.slice(primary.length);
  return box(
    {
      flexDirection: 'column',
      width: WIDTH,
      borderRadius: 12,
      backgroundColor: view.backgroundColor,
      color: view.valueColor,
      overflow: 'hidden',
    },
    header(view, pictures),
    strip
      ? picture(pictures.cover!, {
          width: WIDTH,
          height: view.passType === 'EVENT_TICKET' ? TICKET_STRIP.height : STRIP.height,
          objectFit: 'cover',
          marginBottom: 8,
        })
      : null,
    withThumbnail(
      primary.map((line) => primaryField(view, line)),
      hasStrip(view) ? null : pictures.cover,
    ),
    row(view, secondary),
    row(view, view.secondary),
    await barcode(view),
  );
}

/** What stands large, beside the picture of passes that have none across the front. */
function withThumbnail(primary: Box[], cover: Buffer | null): Box {
  const { width, height } = THUMBNAIL;
  return box(
    { justifyContent: 'space-between' },
    box({ flexDirection: 'column' }, ...primary),
    cover ? picture(cover, { width, height, objectFit: 'contain', marginRight: PADDING }) : null,
  );
}

async function googleCard(view: PassView, pictures: Pictures): Promise<Box> {
  const title = view.front[0];
  return box(
    {
      flexDirection: 'column',
      width: WIDTH,
      borderRadius: 24,
      backgroundColor: view.backgroundColor,
      color: view.valueColor,
      overflow: 'hidden',
    },
    header({ ...view, top: null }, pictures),
    title ? primaryField(view, title) : null,
    row(view, view.top ? [view.top, ...view.front.slice(1)] : view.front.slice(1)),
    row(view, view.secondary),
    await barcode(view),
    pictures.cover
      ? picture(pictures.cover, {
          width: WIDTH,
          height: STRIP.height,
          objectFit: 'cover',
          marginTop: 16,
        })
      : null,
  );
}

function header(view: PassView, { logo, icon }: Pictures): Box {
  const name = view.logoText || view.organizationName;
  return box(
    { alignItems: 'center', padding: PADDING, justifyContent: 'space-between' },
    box(
      { alignItems: 'center', flexShrink: 1 },
      logo
        ? picture(logo, { ...LOGO_ROOM, objectFit: 'contain' })
        : picture(icon, { width: ICON_SIDE, height: ICON_SIDE, borderRadius: 8 }),
      box({ marginLeft: 10, fontSize: 18, fontWeight: 600, ...clipped(170) }, name),
    ),
    view.top ? field(view, view.top, { size: 20, align: 'flex-end', width: TOP_WIDTH }) : null,
  );
}

function primaryField(view: PassView, line: Line): Box {
  return box({ padding: `4px ${PADDING}px 12px` }, field(view, line, { size: 34 }));
}

/** Up to four columns, as wallets draw them: the first to the left, the last to the right. */
function row(view: PassView, lines: readonly Line[]): Box | null {
  const shown = lines.slice(0, COLUMNS_MAX);
  if (shown.length === 0) return null;
  const width = (WIDTH - 2 * PADDING) / shown.length;
  const columns = shown.map((line, position) => {
    const isLast = position > 0 && position === shown.length - 1;
    const align = isLast ? 'flex-end' : 'flex-start';
    return field(view, line, { size: 17, align, width });
  });
  return box({ padding: `6px ${PADDING}px` }, ...columns);
}

function field(
  view: PassView,
  { label, value }: Line,
  { size, align = 'flex-start', width }: { size: number; align?: string; width?: number },
): Box {
  const widest = (width ?? WIDTH - 2 * PADDING) - COLUMN_GAP;
  return box(
    { flexDirection: 'column', alignItems: align, ...(width === undefined ? {} : { width }) },
    box(
      { fontSize: 11, fontWeight: 600, color: view.labelColor, ...clipped(widest) },
      label.toUpperCase(),
    ),
    box({ fontSize: size, ...clipped(widest) }, value),
  );
}

async function barcode({ barcode: code }: PassView): Promise<Box | null> {
  if (!code) return null;
  const image = await barcodePng(code.type, code.value);
  const isSquare = code.type === 'qr' || code.type === 'aztec';
  const size = isSquare ? { width: BARCODE_SIDE, height: BARCODE_SIDE } : BARCODE_WIDE;
  return box(
    { justifyContent: 'center', padding: '18px 16px 20px' },
    box(
      {
        flexDirection: 'column',
        alignItems: 'center',
        backgroundColor: '#FFFFFF',
        color: '#111827',
        borderRadius: 8,
        padding: 10,
        fontSize: 12,
      },
      picture(image, { ...size, objectFit: 'contain' }),
      code.label ? box({ marginTop: 6, ...clipped(260) }, code.label) : null,
    ),
  );
}

/** One line that ends in an ellipsis where it does not fit, as wallets do it. */
function clipped(maxWidth: number) {
  return {
    display: 'block',
    maxWidth,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  };
}
