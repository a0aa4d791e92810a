import { pageDoor } from './api.ts';
import { mountEnrollment } from './enrollment.ts';
import { showGone } from './gone.ts';
import { createLanguage } from './language.ts';
import type { Form } from './shapes.ts';
import { formStyle } from './style.ts';
import { dress, type Look, signIn } from './surroundings.ts';

/** What the page comes with: the form and how the workspace looks, or why there is none. */
type Given =
  | { status: 200; distribution_id: string; locale: string; form: Form; look: Look }
  | { status: number; locale: string };

const given = JSON.parse(document.getElementById('enrollment')!.textContent!) as Given;
const language = createLanguage(given.locale);
document.documentElement.lang = language.code;
document.adoptedStyleSheets = [...document.adoptedStyleSheets, formStyle()];
const root = document.getElementById('app')!;

if ('form' in given) {
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
    onEnrolled: ({ data }) => {
      if (!look.has_portal || data.client_token === null) return null;
      return signIn(slug, data.client_token) ? `/portal/${encodeURIComponent(slug)}` : null;
    },
  });
} else {
  showGone(root, { language, heading: 'h1', why: given.status === 403 ? 'closed' : 'missing' });
  document.title = root.querySelector('h1')!.textContent!;
}
