import type { Declared } from '@laurel/mongo';
import { mailTexts } from './store/mail-texts';

/** What this service keeps and has declared; the rest is opened by hand still. */
export const collections: readonly Declared[] = [mailTexts];
