import type { Language } from '@laurel/contract';
import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import { pl } from './pl';
import type { ShopWords } from './words';

/** What mails of shops say where the shop has no words of its own. */
export const shopWords: Readonly<Record<Language, ShopWords>> = { en, de, fr, es, pl };
