import type { Declared } from '@laurel/mongo';
import { mailTexts } from './store/mail-texts';
import { sandboxClocks } from './store/sandbox-clocks';

/** What this service keeps and has declared; the rest is opened by hand still. */
export const collections: readonly Declared[] = [mailTexts, sandboxClocks];
