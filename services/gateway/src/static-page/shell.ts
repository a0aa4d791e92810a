import type { BuiltPage } from './assets';

const LANGUAGE = '<html lang="en">';

/** What a page was built with where a nonce belongs. */
const NONCE = /__NONCE__/g;

/** The page as it is sent: its frame in the language of the visitor. Nothing in it is anybody's own. */
export function renderShell({ frame }: BuiltPage, language: string, nonce: string): string {
  return frame.replace(LANGUAGE, `<html lang="${language}">`).replace(NONCE, nonce);
}
