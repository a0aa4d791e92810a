import { pageDoor } from './api.ts';
import { mountEnrollment } from './enrollment.ts';
import { openPage } from './given.ts';
import { showGone } from './gone.ts';
import type { Form } from './shapes.ts';
import { dress, type Look, signIn } from './surroundings.ts';

interface Shown {
  distribution_id: string;
  form: Form;
  look: Look;
}

openPage<Shown>(({ given, language, root }) => {
  if (!('form' in given)) {
    showGone(root, { language, heading: 'h1', why: given.status === 403 ? 'closed' : 'missing' });
    document.title = root.querySelector('h1')!.textContent!;
    return;
  }
  const { form, look } = given;
  const slug = form.workspace.slug;
  document.title = language.say('title', { name: form.workspace.name });
  dress(look, form.workspace.name);
  mountEnrollment(root, {
    form,
    language,
    heading: 'h1',
    door: pageDoor(given.distribution_id),
    code: new URLSearchParams(location.search).get('ref'),
    onEnrolled: ({ data, isResend }) => {
      if (!look.has_portal) return null;
      const portal = `/portal/${encodeURIComponent(slug)}`;
      // Sent once more as the answer was lost: what opens the account was lost with it, and the portal asks who it is.
      if (data.client_token === null) return data.pass_id === null || isResend ? null : portal;
      return signIn(slug, data.client_token) ? portal : null;
    },
  });
});
