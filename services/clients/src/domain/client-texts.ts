import { complaintAboutLine, complaintAboutTexts, type Problem } from '@laurel/errors';
import type { ClientFields } from './client';

const LINES = ['first_name', 'last_name'] as const;

/**
 * What is wrong with the texts of a client, whoever wrote them: the API, a file, a rule or a form. Names are lines,
 * since mails and passes print them; nothing holds null characters (part 4, section 1).
 */
export function checkTexts(fields: ClientFields): Problem[] {
  const lines = LINES.flatMap((field) => {
    const value = fields[field];
    const complaint = typeof value === 'string' ? complaintAboutLine(value) : null;
    return complaint === null ? [] : [{ field, message: `${field} ${complaint}` }];
  });
  const { first_name: _first, last_name: _last, ...others } = fields;
  const found = complaintAboutTexts(others);
  if (!found) return lines;
  return [...lines, { field: found.path, message: `${found.path} ${found.complaint}` }];
}
