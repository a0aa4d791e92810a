// Who asks: people with every credential that there is, and tokens of every scope.
import { createCredential } from './world.mjs';

/** @typedef {import('./operations.mjs').Operation} Operation */

/** What the scopes of named tokens open. @type {Record<string, string[]>} */
export const OPENED = {
  read: ['read'],
  configure: ['read', 'configure'],
  operate: ['read', 'operate'],
  full: ['read', 'configure', 'operate', 'full'],
};

/**
 * Everybody who plays a part.
 *
 * @param {import('./world.mjs').World} a
 * @param {import('./world.mjs').World} b
 * @param {import('../lib/public-client.mjs').Client} client
 */
export async function castOf(a, b, client) {
  const plainMember = await a.get('member');
  const member = createCredential(async () => (await client.signIn(plainMember)).access_token);
  const phone = async () => (await a.get('device')).token;
  const customer = () => a.get('portal_token');
  const refresh = createCredential(async () => (await client.signIn(a.owner)).refresh_token);

  /** @param {Operation} operation @param {string} who @returns {Promise<[string, Record<string, string>][]>} */
  async function wrong({ door }, who) {
    const [admin, mobile, portal] = await Promise.all([a.admin(), phone(), customer()]);
    const bearer = (/** @type {string} */ token) => ({ Authorization: `Bearer ${token}` });
    if (door === 'mobile')
      return [
        ['bearer', bearer(admin)],
        ['session as mobile', { 'X-Mobile-Token': admin }],
        ['portal as mobile', { 'X-Mobile-Token': portal }],
      ];
    if (door === 'portal')
      return [
        ['bearer', bearer(admin)],
        ['session as portal', { 'x-client-token': admin }],
        ['mobile as portal', { 'x-client-token': mobile }],
      ];
    return [
      ...(who.endsWith('staff')
        ? []
        : /** @type {[string, Record<string, string>][]} */ ([
            ['mobile', { 'X-Mobile-Token': mobile }],
          ])),
      ['portal', { 'x-client-token': portal }],
      ['portal as bearer', bearer(portal)],
      ['mobile as bearer', bearer(mobile)],
      ['refresh as bearer', bearer(await refresh())],
    ];
  }

  /** @param {{ scope: string, workspace_id?: string }} given */
  const named = (given) => createCredential(() => client.tokenOf(a.owner, given));
  const bearerOfA = { Authorization: `Bearer ${await a.admin()}` };
  const elsewhere = await client.must('POST', '/service-api/workspaces', {
    headers: bearerOfA,
    body: { name: 'Elsewhere' },
  });

  return {
    /** Of A's owner, by scope. */
    tokens: Object.fromEntries(Object.keys(OPENED).map((scope) => [scope, named({ scope })])),
    /** Of A's owner, for another workspace of theirs. */
    boundElsewhere: named({ scope: 'full', workspace_id: elsewhere.data.id }),
    admin: { bearer: a.admin, mobile: phone, portal: customer },
    ownerOfB: {
      bearer: b.admin,
      mobile: async () => (await b.get('device')).token,
      portal: () => b.get('portal_token'),
    },
    /** Somebody of another workspace: B's owner. */
    stranger: b.admin,
    member,
    /** Some operations take place in a further workspace of A's owner. @param {string | undefined} id */
    async admitMember(id) {
      if (id === undefined || id === a.id) return;
      const body = { user_id: plainMember.id, role: 'member' };
      await a.ask('POST', `/service-api/workspace/${id}/members`, body);
    },
    wrong,
  };
}
