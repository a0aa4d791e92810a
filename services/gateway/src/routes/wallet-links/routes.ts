import { type Answer, file, get, open, type Route, redirect, withHeaders } from '../../routing';
import { appleAnswer, PKPASS } from './present';
import * as schema from './schema';

const tag = 'Wallet links';
const params = { signature: schema.signature };
const DAY_SECONDS = 86_400;

/** The signed links of a pass, and the pictures they come with (part 3, section 10). A bad signature is 404. */
export const walletLinkRoutes: Route[] = [
  get('!/p/:passId/:signature/apple', {
    stack: open(),
    tag,
    summary: 'Download a pass for Apple Wallet (.pkpass)',
    description:
      'The address stands in mails and on pages, and its signature is the credential. 304 where the caller has the latest; 404 for a wrong signature.',
    params,
    produces: [PKPASS],
    alsoAnswers: { 304: 'empty' },
    handle: async ({ rpc, params: { passId, signature }, request }) => {
      const since = request.get('if-modified-since');
      const link = { pass_id: passId, signature, if_modified_since: since };
      return appleAnswer(await rpc.passes.GetApplePass(link));
    },
  }),
  get('!/p/:passId/:signature/google', {
    stack: open(),
    tag,
    summary: 'Save a pass to Google Wallet: leads on to the signed save link',
    description:
      'The address stands in mails and on pages, and its signature is the credential. Answers 302 to Google; 404 for a wrong signature.',
    params,
    status: 302,
    handle: async ({ rpc, params: { passId, signature } }) =>
      redirect((await rpc.passes.GetGoogleLink({ pass_id: passId, signature })).url),
  }),
  ...(['apple', 'google'] as const).map((platform) =>
    get(`!/p/:passId/:signature/${platform}.png`, {
      stack: open(),
      tag,
      summary: `A QR code (PNG) of the ${platform === 'apple' ? 'Apple' : 'Google'} Wallet link of a pass`,
      description: `For a page or a poster: somebody scans it with ${platform === 'apple' ? 'an iPhone' : 'an Android phone'}, and the card comes up to be added.`,
      params,
      produces: ['image/png'],
      handle: async ({ rpc, params: { passId, signature } }) => {
        const request = { pass_id: passId!, signature: signature!, platform };
        return picture((await rpc.passes.GetPassQrCode(request)).png);
      },
    }),
  ),
  get('!/pass-templates/:id/icon.png', {
    stack: open(),
    tag,
    summary: 'The picture that stands for a pass template; Google takes pictures by address',
    description:
      'Open to everybody, since Google’s servers fetch it; no program of yours needs it. `v` makes an address of its own for each look of the picture, so that caches fetch it anew.',
    query: schema.look,
    produces: ['image/png'],
    handle: async ({ rpc, params: { id } }) =>
      picture((await rpc.passes.GetTemplateIcon({ id })).png),
  }),
];

function picture(png: Buffer): Answer {
  return withHeaders(file('image/png', png), { 'Cache-Control': `public, max-age=${DAY_SECONDS}` });
}
