import type { passes as api } from '@laurel/rpc';
import { type Answer, file, withHeaders } from '../../routing';

export const PKPASS = 'application/vnd.apple.pkpass';

/** A .pkpass, or 304 where the phone has it already. */
export function appleAnswer({ content, last_modified, file_name }: api.ApplePass): Answer {
  const headers = { 'Last-Modified': last_modified, 'Cache-Control': 'no-cache' };
  if (!content) return { status: 304, headers };
  return withHeaders(file(PKPASS, content), {
    ...headers,
    'Content-Disposition': `attachment; filename="${file_name}"`,
  });
}
