import { languageOf } from './language';

const TEXTS: Readonly<Record<string, string>> = {
  en: 'Scan, and collect with us.',
  de: 'Scannen und bei uns sammeln.',
  fr: 'Scannez et collectionnez chez nous.',
  es: 'Escanea y acumula con nosotros.',
  pl: 'Zeskanuj i zbieraj u nas.',
};

/** What stands below the code by the door: in the language of the shop's customers, not of the one who prints it. */
export function posterText(locale: string): { lang: string; text: string } {
  const lang = languageOf([locale], Object.keys(TEXTS)).slice(0, 2).toLowerCase();
  return { lang, text: TEXTS[lang]! };
}
