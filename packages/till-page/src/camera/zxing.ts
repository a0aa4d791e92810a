import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { Decode } from './decode';

// Without this it would be fetched from a server of somebody else.
prepareZXingModule({ overrides: { locateFile: () => wasm } });

export const decode: Decode = async (picture) => {
  const [found] = await readBarcodes(picture, {
    formats: ['QRCode', 'Aztec', 'PDF417', 'Code128'],
    maxNumberOfSymbols: 1,
  });
  return found?.isValid ? found.text : null;
};
