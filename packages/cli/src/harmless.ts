// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text as a terminal may show it. Names and words come from forms that anybody fills in, and from files that wait for a
 * review: what would move the cursor, colour what follows or turn its direction is written out instead of done.
 */
export const harmless = (text: string): string =>
  text.replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same for what must not look like more lines than one. */
export const inOneLine = (text: string): string => harmless(text.replaceAll('\n', '\\n'));
