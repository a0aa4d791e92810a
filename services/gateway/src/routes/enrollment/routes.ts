import { digestToken } from '@laurel/auth-cache';
import { bare, embed, get, open, post, type Route, withHeaders } from '../../routing';
import { presentConfirmed, presentEnrollment, presentForm, toSubmission } from './present';
import * as schema from './schema';

const tag = 'Enrollment';
const params = { token: schema.token };

const description =
  'Takes the built-in fields and the custom fields that the form lists. Of somebody who is known already nothing changes: apple_pass_url, google_pass_url and client_token are null, pass_id too where they have no pass, and a link by which they confirm the form goes to the address on file.';

/** Enrollment: the form on pages of others, and on the page of a distribution (parts 2 and 3). */
export const enrollmentRoutes: Route[] = [
  get('/embed/distribution/:token/config', {
    stack: embed(),
    tag,
    summary: 'The form behind a distribution token',
    description: 'Content-Language is the language of the workspace.',
    params,
    wrapped: false,
    reply: schema.config,
    handle: async ({ rpc, params: { token } }) => {
      const form = await rpc.passes.GetEnrollmentForm({ token_sha256: digestToken(token) });
      return withHeaders(bare({ data: presentForm(form), success: true }), {
        'Content-Language': form.workspace!.locale,
      });
    },
  }),
  post('/embed/distribution/:token/submit', {
    stack: embed('ENROLL'),
    tag,
    summary: 'Enrol through an embedded form',
    description,
    params,
    wrapped: false,
    body: schema.submit,
    shownOnce: ['data.client_token'],
    reply: schema.enrollment,
    handle: async ({ rpc, params: { token }, body, ip }) => {
      const door = { token_sha256: digestToken(token) };
      const enrollment = await rpc.passes.SubmitEnrollment({ door, ip, ...toSubmission(body) });
      return bare(presentEnrollment(enrollment));
    },
  }),
  get('/embed/distribution/:token/submit', {
    stack: open(),
    tag,
    summary: 'Says that a form is sent by POST; any token',
    description:
      'Answers 405 with `Allow: POST, OPTIONS`, for whoever opens the address of a form by hand. The token is not looked at.',
    params,
    reply: schema.notByGet,
    wrapped: false,
    status: 405,
    handle: async () =>
      withHeaders(bare({ success: false, error: 'send the form by POST' }), {
        Allow: 'POST, OPTIONS',
      }),
  }),
  post('/public/enrollment/confirm', {
    stack: open('ENROLL'),
    tag,
    summary: 'Confirm a form by the token of a mailed link',
    description:
      'What was empty is filled in, consent is recorded, and the pass comes. A token works once; for ten minutes its repeat hears that it is done, with null for the links and the token. So does a link that went by text message where an e-mail address of the client is proven.',
    wrapped: false,
    // It holds what opens the account, which goes to the first press alone, whatever key comes with it.
    idempotent: false,
    body: schema.confirm,
    reply: schema.enrollment,
    handle: async ({ rpc, body: { token } }) => {
      const door = { token_sha256: digestToken(token) };
      return bare(presentConfirmed(await rpc.passes.ConfirmEnrollment(door)));
    },
  }),
  post('/distribution/submit', {
    stack: open('ENROLL'),
    tag,
    summary: 'Enrol through the page of a distribution',
    description,
    wrapped: false,
    body: schema.submitToPage,
    shownOnce: ['data.client_token'],
    reply: schema.enrollment,
    handle: async ({ rpc, body: { distribution_id, ...answers }, ip }) => {
      const door = { distribution_id };
      const enrollment = await rpc.passes.SubmitEnrollment({ door, ip, ...toSubmission(answers) });
      return bare(presentEnrollment(enrollment));
    },
  }),
];
