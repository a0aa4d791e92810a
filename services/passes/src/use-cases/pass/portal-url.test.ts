import { addressMark, createPortalLinks } from '@laurel/auth-cache';
import { newId } from '@laurel/lifecycle';
import type { clients } from '@laurel/rpc';
import { portalUrlOf } from './loyalty-render-data';

const portalLinks = createPortalLinks('a-secret-of-at-least-32-characters!');
const [workspaceId, clientId] = [newId(), newId()];

/** What the link on a card says of a client who stands so. */
async function drawn(standing: Partial<clients.ClientStanding>) {
  const deps = {
    portalLinks,
    publicUrl: 'https://laurel.example',
    clients: { GetClientStanding: async () => standing },
    identity: {
      GetPortalConfig: async () => ({ config: { is_enabled: true, workspace_slug: 'corner' } }),
    },
  } as unknown as Parameters<typeof portalUrlOf>[0];
  const url = await portalUrlOf(deps, { workspaceId, clientId });
  return portalLinks.openPortalLink(new URL(url!).searchParams.get('token')!);
}

test('a card of who has proven an address names it: its link ends with that', async () => {
  const proven = { address_proven_at: 1, sessions_since: 1, proven_email: 'ann@mail.example' };
  const mailedTo = addressMark('ann@mail.example');
  expect(await drawn(proven)).toEqual({ workspaceId, clientId, isProven: true, mailedTo });
});

test.each([
  ['who has proven none', {}],
  ['whose proven address is another’s', { sessions_since: 1 }],
])('a card of somebody %s proves nothing', async (_who, standing) => {
  expect(await drawn(standing)).toEqual({ workspaceId, clientId });
});
