import { invalidField } from '@laurel/errors';
import { COMMON_PASSWORDS } from './common-passwords';

export const PASSWORD_LENGTH_MIN = 10;

/** Refuses a password that others guess first, on its field. */
export function requireGoodPassword(password: string): void {
  if ([...password].length < PASSWORD_LENGTH_MIN)
    throw invalidField('password', `password needs at least ${PASSWORD_LENGTH_MIN} characters`);
  if (isCommon(password))
    throw invalidField('password', 'password is one of the common ones, choose another');
}

function isCommon(password: string): boolean {
  const plain = password.toLowerCase();
  return COMMON_PASSWORDS.has(plain) || isOneCharacter(plain) || isSequence(plain);
}

function isOneCharacter(text: string): boolean {
  return new Set(text).size === 1;
}

/** Digits or letters in a row, up or down, as on a keyboard's number row or in the alphabet. */
function isSequence(text: string): boolean {
  const rows = ['01234567890123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];
  return rows.some((row) => row.includes(text) || [...row].reverse().join('').includes(text));
}
