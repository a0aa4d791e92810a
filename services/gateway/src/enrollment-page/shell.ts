import type { identity, passes } from '@laurel/rpc';
import { json, text } from '../markup';
import { presentForm } from '../routes/enrollment/present';

/** What the page shows: the form, what a mailed link is about, or the status that says why there is neither. */
export type Given =
  | ReturnType<typeof formGiven>
  | ReturnType<typeof confirmationGiven>
  | { status: 403 | 404; page: 'page' | 'confirm'; locale: string };

const NEEDS_SCRIPT: Readonly<Record<string, string>> = {
  en: 'This page needs JavaScript.',
  de: 'Diese Seite braucht JavaScript.',
  fr: 'Cette page a besoin de JavaScript.',
  es: 'Esta página necesita JavaScript.',
  pl: 'Ta strona wymaga JavaScriptu.',
};

/** The form and how the workspace looks. */
export function formGiven(form: passes.EnrollmentForm, config: identity.PublicPortalConfig) {
  return {
    status: 200 as const,
    page: 'page' as const,
    distribution_id: form.id,
    locale: form.workspace!.locale,
    form: presentForm(form),
    look: lookOf(config),
  };
}

/** What whoever opened a mailed link is asked to confirm. */
export function confirmationGiven(
  confirmation: passes.Confirmation,
  config: identity.PublicPortalConfig,
) {
  const { workspace, answers, consent_text, privacy_url, terms_url } = confirmation;
  const { locale, ...named } = workspace!;
  return {
    status: 200 as const,
    page: 'confirm' as const,
    locale,
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

/** The frame of the page; what it shows is drawn from the data that it carries. */
export function renderShell(given: Given): string {
  const title = 'form' in given ? given.form.workspace.name : '';
  return `<!doctype html>
<html lang="${text(given.locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${text(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/enrollment/page.css">
<script type="module" src="/enrollment/${given.page}.js"></script>
</head>
<body>
<main id="app" class="laurel"><noscript>${NEEDS_SCRIPT[given.locale] ?? NEEDS_SCRIPT.en}</noscript></main>
<script type="application/json" id="enrollment">${json(given)}</script>
</body>
</html>
`;
}
