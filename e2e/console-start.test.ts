import { call, callerFor } from './support/api';
import {
  expectStatus,
  newMember,
  newUser,
  newWalletType,
  newWorkspace,
  signIn,
} from './support/factories';
import { expectRefusal } from './support/referrals';

describe('GET :ws/me', () => {
  test('says who asks, what they may do and how far the workspace is set up, step by step', async () => {
    const workspace = await newWorkspace({ default_currency: 'PLN', default_locale: 'pl' });
    const me = async () => expectStatus(await workspace.get(':ws/me'), 200).body.data;
    expect(await me()).toEqual({
      user: {
        id: workspace.owner.id,
        email: workspace.owner.email,
        first_name: null,
        last_name: null,
        date_created: expect.stringMatching(/Z$/),
        email_verified: false,
        preferences: { language: null, theme: null, density: null },
      },
      role: 'admin',
      permissions: expect.arrayContaining(['manage_members', 'manage_settings']),
      workspace: {
        id: workspace.workspaceId,
        name: 'Coffee Corner',
        slug: workspace.slug,
        date_created: expect.stringMatching(/Z$/),
      },
      settings: { locale: 'pl', currency: 'PLN', timezone: 'UTC' },
      setup: {
        currency: false,
        rule: false,
        reward: false,
        card: false,
        form: false,
        portal: false,
        till: false,
      },
      wallets_ready: { apple: expect.any(Boolean), google: expect.any(Boolean) },
    });
    const steps: [string, () => Promise<unknown>][] = [
      ['currency', () => newWalletType(workspace, { code: 'beans' })],
      [
        'rule',
        () =>
          workspace.post(':ws/automations', {
            name: 'Beans',
            trigger_type: 'transaction',
            effects: [
              { type: 'earn_points', wallet_type_code: 'beans', amount_type: 'fixed', amount: 1 },
            ],
          }),
      ],
      ['reward', () => workspace.post(':ws/rewards', { name: 'Coffee', cost_in_points: 1 })],
      ['portal', () => workspace.put(':ws/portal-config', { is_enabled: true })],
      ['till', () => workspace.post(':ws/mobile-app-config', { is_enabled: true })],
    ];
    for (const [name, take] of steps) {
      expect((await me()).setup[name]).toBe(false);
      await take();
      expect((await me()).setup[name]).toBe(true);
    }
    const { data: project } = (await workspace.post(':ws/projects', { name: 'Cards' })).body;
    const template = { project_id: project.id, name: 'Card' };
    const { data: card } = expectStatus(
      await workspace.post(':ws/pass-templates', template),
      201,
    ).body;
    expect((await me()).setup).toMatchObject({ card: true, form: false });
    const form = { project_id: project.id, pass_template_id: card.id, name: 'Door' };
    expectStatus(await workspace.post(':ws/distributions', form), 201);
    expect((await me()).setup.form).toBe(true);
  });

  test('tells members their own role and permissions, and strangers nothing', async () => {
    const workspace = await newWorkspace();
    const member = await newMember(workspace);
    const { role, permissions, user } = expectStatus(await member.get(':ws/me'), 200).body.data;
    expect({ role, id: user.id }).toEqual({ role: 'member', id: member.user.id });
    expect(permissions).not.toContain('manage_members');
    const stranger = await newUser();
    const outside = callerFor(stranger.token, workspace.workspaceId);
    expectRefusal(await outside.get(':ws/me'), 403, 'FORBIDDEN');
  });
});

describe('preferences', () => {
  test('belong to the account, and only known ones are taken', async () => {
    const { token } = await newUser();
    const change = (preferences: unknown) =>
      call('PATCH', '/user/me', { token, body: { preferences } });
    const changed = expectStatus(await change({ language: 'fr', density: 'compact' }), 200);
    expect(changed.body.data.preferences).toEqual({
      language: 'fr',
      theme: null,
      density: 'compact',
    });
    const read = expectStatus(await call('GET', '/user/me', { token }), 200);
    expect(read.body.data.preferences.language).toBe('fr');
    expectRefusal(
      await change({ language: 'tlh' }),
      400,
      'INVALID_PAYLOAD',
      'preferences.language',
    );
    expectRefusal(await change({ font: 'x' }), 400, 'INVALID_PAYLOAD', 'preferences.font');
  });
});

describe('/user/sessions', () => {
  test('lists where somebody is signed in, and signs out one device or all others at once', async () => {
    const user = await newUser();
    const login = async (device: string) => {
      const body = { email: user.email, password: 'correct horse battery staple' };
      const headers = { 'User-Agent': device };
      const answer = await call('POST', '!/auth/login', { body, headers });
      return expectStatus(answer, 200).body.data.access_token as string;
    };
    const phone = await login('Phone');
    const laptop = await login('Laptop');
    const list = async () =>
      expectStatus(await call('GET', '/user/sessions', { token: laptop }), 200).body.data;
    const sessions = await list();
    expect(sessions).toHaveLength(3);
    const current = sessions.filter(({ current }: { current: boolean }) => current);
    expect(current).toMatchObject([{ device: 'Laptop', kind: 'program' }]);
    const { id } = sessions.find(({ device }: { device: string }) => device === 'Phone');
    const end = (token: string) => call('DELETE', `/user/sessions/${id}`, { token });
    const stranger = await newUser();
    expectRefusal(await end(stranger.token), 404, 'RECORD_NOT_FOUND');
    expectStatus(await call('GET', '/user/me', { token: phone }), 200);
    expectStatus(await end(laptop), 200);
    expectStatus(await call('GET', '/user/me', { token: phone }), 401);
    expectRefusal(await end(laptop), 404, 'RECORD_NOT_FOUND');
    expectStatus(await call('DELETE', '/user/sessions', { token: laptop }), 200);
    expectStatus(await call('GET', '/user/me', { token: user.token }), 401);
    expect(await list()).toMatchObject([{ current: true }]);
    await signIn(user.email);
  });
});
