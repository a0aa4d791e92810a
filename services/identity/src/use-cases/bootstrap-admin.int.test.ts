import { createLogger } from '@laurel/lifecycle';
import {
  type IdentityUnderTest,
  identityUnderTest,
  PASSWORD,
} from '../testing/identity-under-test';
import { bootstrapAdmin } from './bootstrap-admin';
import { resetPassword } from './reset-password';

const EMAIL = 'owner@shop.example';

describe('the first account of an installation', () => {
  let it: IdentityUnderTest;
  let lines: string[];
  beforeEach(async () => {
    it = await identityUnderTest();
    lines = [];
  });
  afterEach(() => it.stop());

  const replica = (smtpUrl?: string) => ({
    ...it.deps,
    logger: createLogger('identity', 'info', { write: (line) => void lines.push(line) }),
    config: { ...it.deps.config, bootstrapAdminEmail: EMAIL, smtpUrl },
  });
  const users = () => it.deps.connection.collection('users').find({}).toArray();

  test('is made once by many replicas that start at once, and its password set by the link', async () => {
    await Promise.all(Array.from({ length: 6 }, () => bootstrapAdmin(replica())));
    expect(await users()).toHaveLength(1);
    const mails = (await it.sent()).filter(({ to }) => to === EMAIL);
    expect(mails).toHaveLength(1);
    const link = /http\S+\/reset-password\?token=([0-9a-f]+)/.exec(mails[0]!.text)!;
    expect(lines.filter((line) => line.includes(link[0]))).toHaveLength(1);
    await resetPassword(it.deps, { token: link[1]!, password: PASSWORD });
    await it.signIn(EMAIL);
    await bootstrapAdmin(replica());
    expect(await users()).toMatchObject([{ email: EMAIL, email_verified: true }]);
    expect((await it.sent()).filter(({ to }) => to === EMAIL)).toHaveLength(1);
  });

  test('is not made where somebody has an account', async () => {
    const { id } = await it.newUser();
    await bootstrapAdmin(replica());
    expect((await users()).map(({ _id }) => _id)).toEqual([id]);
  });

  test('keeps its link out of the log where mails leave', async () => {
    await bootstrapAdmin(replica('smtp://mail.example'));
    expect(await users()).toHaveLength(1);
    expect(lines.join()).not.toContain('token=');
  });
});
