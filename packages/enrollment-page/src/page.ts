import { pageDoor } from './api.ts';
import { mountEnrollment, showGone } from './enrollment.ts';
import { createLanguage } from './language.ts';
import type { Form } from './shapes.ts';
import { formStyle, usePrimaryColor } from './style.ts';

/** What the page comes with: the form and how the workspace looks, or why there is none. */
type Given =
  | { status: 200; distribution_id: string; locale: string; form: Form; look: Look }
  | { status: number; locale: string };

interface Look {
  primary_color: string | null;
  background_color: string | null;
  logo_url: string | null;
  has_portal: boolean;
}

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
  showGone(root, { language, heading: 'h1', status: given.status });
  document.title = root.querySelector('h1')!.textContent!;
}

function dress({ primary_color, background_color, logo_url }: Look, name: string): void {
  const { documentElement } = document;
  if (primary_color) usePrimaryColor(documentElement, primary_color);
  if (background_color) documentElement.style.setProperty('--laurel-background', background_color);
  if (!logo_url) return;
  const logo = document.createElement('img');
  logo.src = logo_url;
  logo.alt = name;
  logo.className = 'logo';
  root.before(logo);
}

/** Leaves the session where the portal of the same origin looks for it; false where the browser keeps nothing. */
function signIn(slug: string, token: string): boolean {
  try {
    localStorage.setItem(`laurel.portal.${slug}`, token);
    return true;
  } catch {
    return false;
  }
}
