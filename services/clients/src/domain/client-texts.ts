import { complaintAboutLine, complaintAboutTexts, isVisible, type Problem } from '@laurel/errors';
import type { ClientFields } from './client';

const LINES = ['first_name', 'last_name', 'email', 'phone', 'source'] as const;
type Line = (typeof LINES)[number];

/**
 * What is wrong with the texts of a client, be they from the API, a file, a rule or a form. What is printed on one
 * line holds no control characters, nothing holds null characters (part 4, section 1); a name is not blank, a phone
 * number has digits.
 */
export function checkTexts(fields: ClientFields): Problem[] {
  const lines = LINES.flatMap((field) => {
    const value = fields[field];
    const complaint = typeof value === 'string' ? complaintAbout(field, value) : null;
    return complaint === null ? [] : [{ field, message: `${field} ${complaint}` }];
  });
  const others = Object.fromEntries(
    Object.entries(fields).filter(([field]) => !LINES.includes(field as Line)),
  );
  const found = complaintAboutTexts(others);
  if (!found) return lines;
  return [...lines, { field: found.path, message: `${found.path} ${found.complaint}` }];
}

/** The empty text is taken as it is: forms send it for what was not filled in. */
function complaintAbout(field: Line, value: string): string | null {
  const complaint = complaintAboutLine(value);
  if (complaint !== null || value === '') return complaint;
  if (field === 'phone') return /\d/.test(value) ? null : 'must be a phone number';
  return isVisible(value) ? null : 'must not be blank';
}
