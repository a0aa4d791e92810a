import type { Json } from '@laurel/errors';
import { data, del, member, message, put, type Route } from '../../routing';
import { shownStatus } from '../wallet-previews/shown-status';
import * as schema from './schema';

const tag = 'Wallet credentials';
const admin = member({ permission: 'manage_settings' });

const CREDENTIALS_GONE = {
  apple:
    'Passes are signed by the certificate of the deployment from the next download on. Where it has none, a local one signs, which phones do not trust.',
  google:
    'New save links are signed by the deployment’s key from now on. Cards that were saved before belong to the issuer that they were saved under.',
};

/** Certificates and keys of a workspace's own (part 3, section 10); they are never shown again. */
export const walletCredentialRoutes: Route[] = [
  put(':ws/passes/wallet-credentials/apple', {
    stack: admin,
    tag,
    summary: "Sign Apple passes with the workspace's own certificate (admin)",
    description: 'certificate, key (RSA) and wwdr_certificate are PEM. They are kept encrypted.',
    body: schema.apple,
    reply: schema.walletStatus,
    handle: async ({ rpc, workspaceId, body }) =>
      data(
        shownStatus(await rpc.passes.PutAppleCredentials({ ...body, workspace_id: workspaceId })),
      ),
  }),
  put(':ws/passes/wallet-credentials/google', {
    stack: admin,
    tag,
    summary: "Issue Google passes with the workspace's own service account (admin)",
    description: 'service_account is the key file that Google gives. It is kept encrypted.',
    body: schema.google,
    reply: schema.walletStatus,
    handle: async ({ rpc, workspaceId, body: { issuer_id, service_account } }) => {
      const account = service_account as Json;
      const request = { workspace_id: workspaceId, issuer_id, service_account: account };
      return data(shownStatus(await rpc.passes.PutGoogleCredentials(request)));
    },
  }),
  ...(['apple', 'google'] as const).map((wallet) =>
    del(`:ws/passes/wallet-credentials/${wallet}`, {
      stack: admin,
      tag,
      summary:
        "Take the workspace's own credentials away; those of the deployment sign again (admin)",
      description: CREDENTIALS_GONE[wallet],
      handle: async ({ rpc, workspaceId }) => {
        await rpc.passes.DeleteWalletCredentials({ workspace_id: workspaceId, wallet });
        return message('the credentials are deleted');
      },
    }),
  ),
];
