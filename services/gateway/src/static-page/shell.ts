import { json } from '../markup';
import type { BuiltPage } from './assets';

/** Where the frame leaves room for what it is given, and for the language it is sent in. */
const GIVEN = '__GIVEN__';
const LANGUAGE = 'lang="en"';

/** The page as it is sent: its frame with the language of whoever asks. Nothing in it is anybody's own. */
export function renderShell({ frame, version }: BuiltPage, language: string): string {
  return frame
    .replace(LANGUAGE, `lang="${language}"`)
    .replace(GIVEN, () => json({ version, language }));
}
