import sharp from 'sharp';
import { call, type Reply } from './support/api';
import { expectStatus, newWorkspace } from './support/factories';
import { type Device, newApp, newDevice } from './support/mobile';
import { problemOf } from './support/replies';

const RECEIPT = `Corner Coffee GmbH
Hauptplatz 12
Datum: 14.03.2026   09:41

Brötchen            1,80 €
Käsekuchen          3,50 €
Zwischensumme       5,30 €
MwSt 7%             0,35 €
Gesamtbetrag        5,30 €
Bar                10,00 €`;

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

function scan(token: string, bytes: Buffer | null, part = 'file'): Promise<Reply> {
  const body = new FormData();
  if (bytes) body.append(part, new Blob([new Uint8Array(bytes)]), 'receipt.jpg');
  else body.append('note', 'no file');
  return call('POST', '/mobile-app/receipt-scan', { body, headers: { 'X-Mobile-Token': token } });
}

describe('a receipt', () => {
  let device: Device;
  beforeAll(async () => {
    const workspace = await newWorkspace();
    await newApp(workspace);
    device = await newDevice(workspace);
  });

  test('is read off a photograph, and the platform answers meanwhile', async () => {
    let answered = 0;
    let isDone = false;
    const scanning = scan(device.token, await photographed(RECEIPT)).finally(() => {
      isDone = true;
    });
    // Not so many that a slow reading lets the device use up what it may ask in a minute.
    while (!isDone && answered < 100) {
      expectStatus(await device.get('/mobile-app/passes/search', { q: 'nobody' }), 200);
      answered += 1;
    }
    expect(expectStatus(await scanning, 200).body.data).toEqual({
      amount: 5.3,
      currency: 'EUR',
      date: '2026-03-14',
      merchant: 'Corner Coffee GmbH',
      raw_text: expect.stringContaining('Gesamtbetrag'),
      confidence: expect.any(Number),
    });
    expect(answered).toBeGreaterThan(2);
  });

  test('that is blank says nothing', async () => {
    const create = { width: 300, height: 300, channels: 3, background: 'white' } as const;
    const blank = await sharp({ create }).png().toBuffer();
    expect(expectStatus(await scan(device.token, blank), 200).body.data).toEqual({
      amount: null,
      currency: null,
      date: null,
      merchant: null,
      raw_text: null,
      confidence: null,
    });
  });

  test('must be one image of at most 5 MiB, named file', async () => {
    const refusal = [400, 'INVALID_PAYLOAD', 'file'];
    expect(problemOf(await scan(device.token, Buffer.from('no image')))).toEqual(refusal);
    expect(problemOf(await scan(device.token, null))).toEqual(refusal);
    const image = await photographed('x');
    expect(problemOf(await scan(device.token, image, 'picture'))).toEqual(refusal);
    const large = await scan(device.token, Buffer.alloc(5 * 1024 * 1024 + 1));
    expect(problemOf(large).slice(0, 2)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expectStatus(await device.post('/mobile-app/receipt-scan', {}), 415);
  });

  test('is for the staff app', async () => {
    expectStatus(await call('POST', '/mobile-app/receipt-scan'), 403);
    expectStatus(await scan('nonsense', Buffer.from('x')), 401);
  });
});
