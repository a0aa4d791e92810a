import { newId } from '@laurel/lifecycle';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id where it sent a sane one (part 3, section 16), else a new one. */
export function requestIdOf(header: string | undefined): string {
  return header !== undefined && SANE.test(header) ? header : newId();
}
