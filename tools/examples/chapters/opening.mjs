// Nora and Liam open accounts, and Nora a workspace for her coffee shop.

/** What a browser says of a page of the platform. */
export const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Laurel-Page': '1' };
const PASSWORD = 'correct horse battery staple';

/** @param {string[] | undefined} cookies */
export const cookieOf = (cookies) => ({
  ...OWN_PAGE,
  Cookie: (cookies ?? [''])[0]?.split(';')[0] ?? '',
});

/** @param {import('./index.mjs').Story} story */
export async function openAccounts(story) {
  const { tell, known, mail, people } = story;
  const nora = { email: people.nora, password: PASSWORD };
  await tell('auth.listOptions');
  await tell('auth.register', { body: { ...nora, first_name: 'Nora', last_name: 'Doyle' } });
  const { data: first } = await tell('auth.login', { body: nora });
  known.bearer = first.access_token;
  await tell('auth.verifyEmail', { body: { token: await mail.tokenFor(nora.email, 'Confirm') } });
  await story.send('auth.register', {
    body: {
      email: people.liam,
      password: 'coffee before talking',
      first_name: 'Liam',
      last_name: 'Kelly',
    },
  });
  await tell('auth.requestPassword', { body: { email: people.liam } });
  const token = await mail.tokenFor(people.liam, 'Reset');
  await tell('auth.resetPassword', { body: { token, password: 'talking before coffee' } });
  const { data: second } = await tell('auth.login', { body: nora });
  await tell('auth.refresh', { body: { refresh_token: second.refresh_token } });
  const { data: third } = await tell('auth.login', { body: nora });
  await tell('auth.logout', { body: { refresh_token: third.refresh_token } });
  await openPage(story, nora);
  await tell('user.getMe');
  await tell('user.updateMe', { body: { preferences: { language: 'en', theme: 'light' } } });
  await useTokens(story);
}

/** As the sign-in page does it. @param {import('./index.mjs').Story} story @param {object} nora */
async function openPage({ tell, send }, nora) {
  await tell('auth.createSession', { body: nora, headers: OWN_PAGE });
  const opened = await send('auth.createSession', { body: nora, headers: OWN_PAGE });
  const again = cookieOf(opened.headers['set-cookie']);
  await tell('auth.refreshSession', { headers: again });
  const other = await send('auth.createSession', { body: nora, headers: OWN_PAGE });
  await tell('auth.deleteSession', { headers: cookieOf(other.headers['set-cookie']) });
}

/** @param {import('./index.mjs').Story} story */
async function useTokens({ tell }) {
  const till = { name: 'Till at the counter', scope: 'operate' };
  const { data: made } = await tell('user.createApiToken', { body: till });
  await tell('user.listApiTokens');
  await tell('user.revokeApiToken', { id: made.id });
  await tell('user.regenerateApiToken');
  await tell('user.getApiToken');
  await tell('user.deleteApiToken');
}

/** @param {import('./index.mjs').Story} story */
export async function openWorkspace({ tell, known, run }) {
  const shop = {
    name: 'Roasted',
    slug: `roasted${run}`,
    default_currency: 'EUR',
    default_locale: 'en-IE',
  };
  const { data } = await tell('workspaces.create', { body: shop });
  known.workspaceId = data.id;
  known.slug = data.slug;
  await tell('workspaces.list');
  await tell('workspaces.get');
  await tell('workspaces.update', { body: { name: 'Roasted Coffee' } });
  await tell('workspaces.getMe');
  await tell('workspaces.listRoles');
  await tell('workspaces.updateSettings', {
    body: { timezone: 'Europe/Dublin', reply_to: 'hello@roasted.example.com' },
  });
  await tell('workspaces.getSettings');
  const colours = { primary: '#3E2723', background: '#FBF7F4' };
  await tell('brand.set', {
    body: { name: 'Roasted', colours, privacy_url: 'https://roasted.example.com/privacy' },
  });
  await tell('brand.get');
}

/** @param {import('./index.mjs').Story} story */
export async function gatherTeam({ tell, ask, send, known, people }) {
  const body = { email: people.liam, workspace_id: known.workspaceId, role: 'member' };
  await tell('invitations.create', { body });
  const { invitations: list } = await tell('invitations.list');
  const { id, invitation_token } = list[0];
  await tell('invitations.get', { invitationId: invitation_token });
  await tell('invitations.resend', { invitationId: id });
  const words = { email: people.liam, password: 'talking before coffee' };
  const { data: signedIn } = await ask('auth.login', { body: words });
  const liam = { Authorization: `Bearer ${signedIn.access_token}` };
  await tell('auth.resendVerification', { headers: liam });
  await tell('invitations.listMine', { headers: liam });
  const { invitations: latest } = await tell('invitations.list');
  await tell('invitations.accept', {
    headers: liam,
    body: { invitation_token: latest[0].invitation_token },
  });
  const { data: me } = await ask('user.getMe', { headers: liam });
  await tell('members.list');
  await tell('members.getRole', { userId: me.id });
  await tell('members.updateRole', { userId: me.id, body: { role: 'admin' } });
  await tell('members.delete', { userId: me.id });
  await tell('members.create', { body: { user_id: me.id, role: 'member' } });
  await send('invitations.create', { body: { ...body, email: people.owen } });
  const { invitations: open } = await tell('invitations.list');
  const forgotten = open.find((/** @type {any} */ { email }) => email === people.owen);
  await tell('invitations.delete', { invitationId: forgotten.id });
  known.liam = me.id;
}
