import type { Decode } from './decode';

interface BrowsersDetector {
  detect(picture: ImageData): Promise<{ rawValue: string }[]>;
}
type DetectorClass = {
  new (options: { formats: string[] }): BrowsersDetector;
  getSupportedFormats(): Promise<string[]>;
};

const WANTED = ['qr_code', 'aztec', 'pdf417', 'code_128'];

/** The phone's own detector where it has one for our cards, else WebAssembly from our own server. */
export async function loadDecoder(): Promise<Decode> {
  const Detector = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  const formats = (await Detector?.getSupportedFormats().catch(() => [])) ?? [];
  if (Detector && WANTED.every((format) => formats.includes(format))) {
    const detector = new Detector({ formats: WANTED });
    return async (picture) => (await detector.detect(picture))[0]?.rawValue ?? null;
  }
  return (await import('./zxing')).decode;
}
