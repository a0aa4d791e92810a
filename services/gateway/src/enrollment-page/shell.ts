import { type Language, languageOf } from '@laurel/contract';
import type { identity, passes } from '@laurel/rpc';
import { json, text } from '../markup';
import { icon } from '../plain-page/icon';
import { words } from '../plain-page/words';
import { presentForm } from '../routes/enrollment/present';

/** What the page shows: the form, what a mailed link is about, or the status that says why there is neither. */
export type Given =
  | ReturnType<typeof formGiven>
  | ReturnType<typeof confirmationGiven>
  | { status: 403 | 404; page: 'page' | 'confirm'; locale: string };

/** Of pages that belong to no shop. */
const DEFAULT_COLOUR = '#1F6F54';
/** How a form is announced where its link is shared. */
const INVITATIONS: Readonly<Record<Language, { title: string; text: string }>> = {
  en: { title: 'Join {name}', text: 'Fill in the form and get your card on your phone.' },
  de: {
    title: '{name} beitreten',
    text: 'Füllen Sie das Formular aus und holen Sie sich Ihre Karte aufs Telefon.',
  },
  fr: {
    title: 'Rejoindre {name}',
    text: 'Remplissez le formulaire et recevez votre carte sur votre téléphone.',
  },
  es: {
    title: 'Únase a {name}',
    text: 'Rellene el formulario y reciba su tarjeta en el teléfono.',
  },
  pl: {
    title: 'Dołącz do {name}',
    text: 'Wypełnij formularz i odbierz kartę na telefonie.',
  },
};

/** The form, how the workspace looks, and the locale of its visitor. */
export function formGiven(
  form: passes.EnrollmentForm,
  config: identity.PublicPortalConfig,
  locale: string,
) {
  return {
    status: 200 as const,
    page: 'page' as const,
    distribution_id: form.id,
    locale,
    form: presentForm(form),
    look: lookOf(config),
  };
}

/** What the visitor of a mailed link is asked to confirm. */
export function confirmationGiven(
  confirmation: passes.Confirmation,
  config: identity.PublicPortalConfig,
  visitorLocale: string,
) {
  const { workspace, answers, consent_text, privacy_url, terms_url } = confirmation;
  const { locale: _shop, ...named } = workspace!;
  return {
    status: 200 as const,
    page: 'confirm' as const,
    locale: visitorLocale,
    confirmation: { workspace: named, answers, consent_text, privacy_url, terms_url },
    look: lookOf(config),
  };
}

const lookOf = ({
  primary_color,
  background_color,
  logo_url,
  is_enabled: has_portal,
}: identity.PublicPortalConfig) => ({ primary_color, background_color, logo_url, has_portal });

function nameOf(given: Given): string {
  if ('form' in given) return given.form.workspace.name;
  return 'confirmation' in given ? given.confirmation.workspace.name : '';
}

/** What messengers show of a link to the form before anybody opens it: referral links are shared there. */
function previewOf(
  { form: { workspace }, look }: ReturnType<typeof formGiven>,
  language: Language,
): string {
  const title = INVITATIONS[language].title.replace('{name}', () => workspace.name);
  const { text: description } = INVITATIONS[language];
  const tags = {
    'og:type': 'website',
    'og:site_name': workspace.name,
    'og:title': title,
    'og:description': description,
    ...(look.logo_url ? { 'og:image': look.logo_url } : {}),
    'twitter:card': 'summary',
  };
  return [
    `<meta name="description" content="${text(description)}">`,
    ...Object.entries(tags).map(
      ([property, content]) => `<meta property="${property}" content="${text(content)}">`,
    ),
    '',
  ].join('\n');
}

/** The frame of the page; what it shows is drawn from the data that it carries. */
export function renderShell(given: Given): string {
  const language = languageOf(given.locale);
  const name = nameOf(given);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${text(name || 'Laurel')}</title>
<link rel="icon" href="${text(icon(name, 'look' in given ? given.look.primary_color : DEFAULT_COLOUR))}">
${'form' in given ? previewOf(given, language) : ''}<link rel="stylesheet" href="/enrollment/page.css">
<script type="module" src="/enrollment/${given.page}.js"></script>
</head>
<body>
<main id="app" class="laurel" aria-label="${text(name || 'Laurel')}"><noscript><h1>${text(name || 'Laurel')}</h1><p>${text(words[language].needsScript)}</p></noscript></main>
<script type="application/json" id="enrollment">${json(given)}</script>
</body>
</html>
`;
}
