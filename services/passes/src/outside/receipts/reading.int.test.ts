import sharp from 'sharp';
import { factsOf } from '../../domain/mobile/receipt/receipt';
import { preparedImage } from './prepare-image';
import { createRecognizer } from './recognition';

const RECEIPT = `Corner Coffee GmbH
Hauptplatz 12
Datum: 14.03.2026   09:41

Brötchen            1,80 €
Käsekuchen          3,50 €
Zwischensumme       5,30 €
MwSt 7%             0,35 €
Gesamtbetrag        5,30 €
Bar                10,00 €
Rückgeld            4,70 €`;

/** Text as a till prints it, dark on light, with a margin. */
async function photographed(text: string): Promise<Buffer> {
  const fontfile = require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf');
  const written = await sharp({
    text: { text, font: 'Inter 22', fontfile, width: 700, dpi: 110, spacing: 6 },
  })
    .negate()
    .png()
    .toBuffer();
  const frame = { top: 40, bottom: 40, left: 40, right: 40, background: 'white' };
  return sharp(written).extend(frame).jpeg({ quality: 80 }).toBuffer();
}

test('a receipt is read off a photograph, without a network', async () => {
  const image = await preparedImage(await photographed(RECEIPT));
  const recognize = await createRecognizer();
  const { text, confidence } = recognize(image);
  expect(factsOf(text, '2026-11-21')).toEqual({
    amount: 5.3,
    currency: 'EUR',
    date: '2026-03-14',
    merchant: 'Corner Coffee GmbH',
  });
  expect(confidence).toBeGreaterThan(0.6);
  const blank = { width: 200, height: 200, channels: 3, background: 'white' } as const;
  const empty = await preparedImage(await sharp({ create: blank }).png().toBuffer());
  expect(recognize(empty).text).toBe('');
});

describe('an upload that is no image', () => {
  test.each([
    ['text', Buffer.from('hello')],
    [
      'a drawing that could name other files',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['the head of an image and nothing else', Buffer.from('89504e470d0a1a0a', 'hex')],
    [
      'more than 5 MiB',
      Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(5 * 1024 * 1024)]),
    ],
  ])('is refused: %s', async (_what, bytes) => {
    await expect(preparedImage(bytes)).rejects.toMatchObject({
      httpStatus: 400,
      problems: [{ field: 'file' }],
    });
  });

  test('is refused when it unpacks to more pixels than anybody photographs', async () => {
    const create = { width: 9_000, height: 9_000, channels: 3, background: 'white' } as const;
    const bomb = await sharp({ create }).png().toBuffer();
    expect(bomb.length).toBeLessThan(1024 * 1024);
    await expect(preparedImage(bomb)).rejects.toMatchObject({ httpStatus: 400 });
  });
});
