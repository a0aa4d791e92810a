/** Something that was looked at. `broken` stops work, `warning` will or may, `fine` is said so that one knows it was asked. */
export interface Finding {
  level: 'fine' | 'warning' | 'broken';
  /** What was looked at: a setting, a server, a queue. */
  about: string;
  /** What is the case, in a sentence. */
  text: string;
  /** What to do, where something is to be done. */
  mend?: string;
}

export const fine = (about: string, text: string): Finding => ({ level: 'fine', about, text });
export const warning = (about: string, text: string, mend: string): Finding => ({
  level: 'warning',
  about,
  text,
  mend,
});
export const broken = (about: string, text: string, mend: string): Finding => ({
  level: 'broken',
  about,
  text,
  mend,
});

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message.split('\n')[0]! : String(error);

/** Without what may stand in an address of a server: its account. */
export function addressOf(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//').replace(/\?.*$/, '');
}
