import { open, post, type Route } from '../../routing';
import * as schema from './schema';

/** What Google tells: that somebody saved or deleted a pass. It comes from few addresses, often, and is signed. */
export const googleWalletRoutes: Route[] = [
  post('!/google/v1/callbacks', {
    stack: open('WALLET', { countsRefused: true }),
    tag: 'Google Wallet',
    summary: 'Take what Google tells about saved and deleted passes; 401 unless Google signed it',
    description:
      'Called by Google when a card is saved or removed on a phone; it keeps the count of installed cards. No program of yours calls it.',
    body: schema.callback,
    empty: true,
    idempotent: false,
    handle: async ({ rpc, body }) => {
      await rpc.passes.HandleGoogleCallback({
        signature: body.signature,
        protocol_version: body.protocolVersion,
        signed_message: body.signedMessage,
        signed_key: body.intermediateSigningKey.signedKey,
        key_signatures: body.intermediateSigningKey.signatures,
      });
      return {};
    },
  }),
];
