import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import loadCore from 'tesseract.js-core/tesseract-core-simd-lstm';

/** What receipts are printed in; each package holds one trained model. */
const LANGUAGES = ['eng', 'deu', 'fra', 'spa', 'pol'] as const;
const LSTM_ONLY = 1;
/** One column of text of varying sizes: what a receipt is. */
const SINGLE_COLUMN = '4';
const UPRIGHT = 1;
const UNTURNED = 0;
/** Where the core looks for the image. */
const IMAGE = '/input';

export interface Recognized {
  text: string;
  /** 0 to 1 */
  confidence: number;
}

/**
 * Makes a recognizer: Tesseract, compiled to WebAssembly, with its models from installed packages. It asks nothing of
 * the network, and keeps the thread that it runs in busy for seconds.
 */
export async function createRecognizer(): Promise<(image: Uint8Array) => Recognized> {
  const core = await loadCore({ print: () => undefined, printErr: () => undefined });
  for (const language of LANGUAGES) core.FS.writeFile(`${language}.traineddata`, model(language));
  const tesseract = new core.TessBaseAPI();
  if (tesseract.Init(null, LANGUAGES.join('+'), LSTM_ONLY) !== 0)
    throw new Error('the models for reading receipts cannot be loaded');
  tesseract.SetVariable('tessedit_pageseg_mode', SINGLE_COLUMN);
  tesseract.SetVariable('preserve_interword_spaces', '1');
  return (image) => {
    core.FS.writeFile(IMAGE, image);
    if (tesseract.SetImageFile(UPRIGHT, UNTURNED) === 1)
      throw new Error('the image is not legible');
    tesseract.Recognize(null);
    const text = tesseract.GetUTF8Text().trim();
    return { text, confidence: text === '' ? 0 : tesseract.MeanTextConf() / 100 };
  };
}

function model(language: string): Buffer {
  const folder = path.dirname(require.resolve(`@tesseract.js-data/${language}/package.json`));
  return gunzipSync(
    readFileSync(path.join(folder, '4.0.0_best_int', `${language}.traineddata.gz`)),
  );
}
