import type { identity } from '@laurel/rpc';
import { json, text } from '../markup';
import type { PageAssets } from './assets';
import { themeStylesheet } from './theme';

const STYLES = ['base.css', 'portal.css', 'catalogue.css', 'navigation.css', 'motion.css'];
/** Fetched only when it is needed, or never: types alone. */
const ON_DEMAND = /^(words\/|vendor\/qr\.js$|shapes\.js$)/;
/** Languages that the page speaks; it is written in English for all others. */
const LANGUAGES = new Set(['en', 'de', 'fr', 'es', 'pl']);

export const assetPath = (version: string, name: string): string =>
  `/portal/assets/${version}/${name}`;

/** The page as it is sent: everything it needs to start is named or given, and nothing in it is anybody's own. */
export function renderShell(
  { config, default_locale }: identity.Portal,
  { version, files }: PageAssets,
  nonce: string,
): string {
  const shown = config!;
  const language = languageOf(default_locale);
  const modules = [...files.keys()].filter(
    (name) => name.endsWith('.js') && (!ON_DEMAND.test(name) || name === `words/${language}.js`),
  );
  const given = { ...shown, custom_css: undefined, locale: default_locale };
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${text(shown.workspace_name)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="theme-color" content="${text(shown.background_color)}">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${text(iconOf(shown))}">
${STYLES.map((name) => `<link rel="stylesheet" href="${assetPath(version, name)}">`).join('\n')}
<style nonce="${nonce}">${styles(themeStylesheet(shown))}
${styles(shown.custom_css ?? '')}</style>
${modules.map((name) => `<link rel="modulepreload" href="${assetPath(version, name)}">`).join('\n')}
<script type="module" src="${assetPath(version, 'main.js')}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>${text(shown.workspace_name)}: this page needs JavaScript.</p></noscript>
<script type="application/json" id="portal">${json(given)}</script>
</body>
</html>
`;
}

/** What stands at the address of a portal that is not there, or cannot be shown at the moment. */
export function renderAbsence(isGone: boolean): string {
  const sentence = isGone
    ? 'There is no customer portal at this address.'
    : 'This page cannot be shown at the moment. Please try again in a minute.';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${sentence}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>${sentence}</h1></main></body>
</html>
`;
}

/** A letter in the shop's colour. Its logo would be fetched from elsewhere before anybody agreed to that. */
function iconOf({ workspace_name, primary_color }: identity.PublicPortalConfig): string {
  const letter = text([...workspace_name.trim().toUpperCase()][0] ?? 'L');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${primary_color}"/><text x="16" y="22.5" font-family="sans-serif" font-size="18" font-weight="700" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function languageOf(locale: string): string {
  const language = locale.slice(0, 2).toLowerCase();
  return LANGUAGES.has(language) ? language : 'en';
}

/** It was cleaned when it was stored; this is where a mistake there would matter. */
const styles = (css: string): string => css.replaceAll('</', '<\\/');
