import type { Language } from '@laurel/contract';
import { de } from './de';
import { en, type MailWords } from './en';
import { es } from './es';
import { fr } from './fr';
import { pl } from './pl';

export const mailWords: Readonly<Record<Language, MailWords>> = { en, de, fr, es, pl };
