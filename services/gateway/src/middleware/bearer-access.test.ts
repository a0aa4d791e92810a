import { platform } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Request, Response } from 'express';
import { member } from '../routing';
import { createBearerAccess } from './bearer-access';
import { uncounted } from './rate-limit';
import { forgetComing, noteComing } from './verified-tokens';
import { createWrongCredentials } from './wrong-credentials';

const TOKEN = `laurel_${'a'.repeat(64)}`;
const CAME = Date.parse('2026-01-15T11:55:00.000Z');
const ENDS = CAME + 5 * 60_000;
const resolved = {
  user_id: 'u',
  email: 'u@example.com',
  grant: { scope: 'operate', expires_at: new Date(ENDS).toISOString() },
};

let now: number;
beforeEach(() => {
  now = CAME;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** As identity answers, which goes by its own clock where it is not said when the request came. */
async function resolveNamed({ came_at }: identity.ApiTokenRequest) {
  const at = came_at === undefined ? now : Date.parse(came_at);
  if (at >= ENDS) throw platform.tokenExpired();
  return resolved;
}

function accessOf(isCached: boolean) {
  const cached = isCached ? JSON.stringify(resolved) : null;
  const dependencies = {
    rpc: { identity: { ResolveNamedToken: resolveNamed } },
    redis: { isReady: true, get: async () => cached },
    limits: uncounted,
    credentials: createWrongCredentials(uncounted),
    readClaims: () => Promise.reject(new Error('it is no session')),
    membership: () => Promise.reject(new Error('no workspace was named')),
  };
  return createBearerAccess(dependencies as never);
}

test.each([
  ['cached', true],
  ['asked of identity', false],
])(
  'a named token, %s, that ends while what it sends is on its way still says whose that is',
  async (_where, isCached) => {
    const access = accessOf(isCached);
    const headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` };
    const request = {
      ip: '192.0.2.1',
      params: {},
      get: (name: string) => headers[name],
    } as unknown as Request;
    const response = { locals: {}, req: request } as unknown as Response;
    const stack = member() as Parameters<typeof access>[0];
    const who = () => access(stack, request, response);
    const expired = expect.objectContaining({ code: 'TOKEN_EXPIRED' });
    noteComing(response);
    now = ENDS + 1;
    expect(await who()).toMatchObject({ userId: 'u', grant: { scope: 'operate' } });
    forgetComing(response);
    await expect(who()).rejects.toEqual(expired);
    noteComing(response);
    await expect(who()).rejects.toEqual(expired);
  },
);
