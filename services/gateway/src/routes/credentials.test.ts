import type { Request } from 'express';
import type { Route } from '../routing';
import { downloadRoutes } from './downloads/routes';
import { inboxRoutes } from './inbox/routes';

function credentialOf(routes: Route[], path: string, request: Partial<Request>) {
  const { stack } = routes.find((route) => route.path.endsWith(path))!;
  if (!('credential' in stack)) throw new Error(`${path} takes no credential`);
  return stack.credential?.(request as Request);
}

test('an inbox has one limit, however its id is spelled', () => {
  const to = (inboxId: string) =>
    credentialOf(inboxRoutes, '/inbox/:inboxId/:token', { params: { inboxId, token: 'T' } });
  expect(to('0197AB3C-0000-7000-8000-0000000000FF')).toBe(
    to('0197ab3c-0000-7000-8000-0000000000ff'),
  );
});

test('a look at the address of a file does not make it one that was right', () => {
  const by = (method: string) =>
    credentialOf(downloadRoutes, '/downloads/:token', { method, params: { token: 'T' } });
  expect(by('GET')).toBe('T');
  expect(by('HEAD')).toBeUndefined();
});
