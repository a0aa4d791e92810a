import type { identity, passes } from '@laurel/rpc';
import { json, text } from '../markup';
import { presentForm } from '../routes/enrollment/present';

/** What the page shows: the form, or the status that says why there is none. */
export type Given =
  | (ReturnType<typeof formGiven> & { status: 200 })
  | { status: 403 | 404; locale: string };

/** The form and how the workspace looks. */
export function formGiven(form: passes.EnrollmentForm, config: identity.PublicPortalConfig) {
  const { primary_color, background_color, logo_url, is_enabled: has_portal } = config;
  return {
    status: 200 as const,
    distribution_id: form.id,
    locale: form.workspace!.locale,
    form: presentForm(form),
    look: { primary_color, background_color, logo_url, has_portal },
  };
}

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
<script type="module" src="/enrollment/page.js"></script>
</head>
<body>
<main id="app" class="laurel"><noscript>This page needs JavaScript.</noscript></main>
<script type="application/json" id="enrollment">${json(given)}</script>
</body>
</html>
`;
}
