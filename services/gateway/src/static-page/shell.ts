import type { BuiltPage } from './assets';

const LANGUAGE = '<html lang="en">';

/** The page as it is sent: its frame in the language of whoever asks. Nothing in it is anybody's own. */
export function renderShell({ frame }: BuiltPage, language: string): string {
  return frame.replace(LANGUAGE, `<html lang="${language}">`);
}
