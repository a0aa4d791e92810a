import type { Say, WordKey } from '../../language';

/** How the platform says why an address gave no answer that counts, and which word of ours says so; a group is its detail. */
const BY_FORM: readonly (readonly [RegExp, WordKey])[] = [
  [/^answered (\d{3})/, 'unheard.answered'],
  [/connection was refused/, 'unheard.refused'],
  [/connection was reset|closed before an answer/, 'unheard.broken'],
  [/host name/, 'unheard.host'],
  [/timed out|^no answer /, 'unheard.silent'],
  [/TLS connection failed(?: \((\w+)\))?/, 'unheard.tls'],
  [/private or local|must use https/, 'unheard.forbidden'],
  [/a sandbox sends/, 'unheard.sandbox'],
];

/** Why nothing was heard from an address, in the reader's words; as the platform says it where there are none. */
export function tellUnheard(say: Say, noted: string): string {
  for (const [form, key] of BY_FORM) {
    const found = form.exec(noted);
    if (found) return say(key, { detail: found[1] ?? '' });
  }
  return noted;
}
