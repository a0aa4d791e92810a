import { mobile } from '../routing';
import { createMobileAccess } from './mobile-access';

const OWN = '018f3c5e-7b1a-7c3d-9e2f-0123456789ab';
const principal = {
  mobile_user_id: 'u',
  workspace_id: OWN,
  session_id: 's',
  role: 'member',
  role_id: 'r',
  app_enabled: true,
  role_allowed: true,
};
const byMobileToken = createMobileAccess({
  rpc: { identity: { ResolveMobileSession: async () => principal } },
  redis: { isReady: false },
  limits: { consume: async () => undefined },
  credentials: { prove: (_: unknown, work: () => unknown) => work() },
  readClaims: async () => ({ sid: 's' }),
} as never);

const comeTo = (workspaceId?: string) =>
  byMobileToken(mobile(), 'token', { req: { params: { workspaceId }, ip: '192.0.2.1' } } as never);

test.each([undefined, OWN, OWN.toUpperCase()])(
  'a session comes into its own workspace: %s',
  async (named) => {
    expect((await comeTo(named)).membership?.workspaceId).toBe(OWN);
  },
);

test('a session comes into no other workspace', async () => {
  const other = OWN.replace('0', '1');
  await expect(comeTo(other)).rejects.toMatchObject({ httpStatus: 403 });
});

test('what is no id of a workspace is left to the form of the path, which refuses it with 400', async () => {
  await expect(comeTo('nonsense')).resolves.toMatchObject({ type: 'mobile' });
});
