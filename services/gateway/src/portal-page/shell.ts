import { languageOf } from '@laurel/contract';
import type { identity } from '@laurel/rpc';
import { json, text } from '../markup';
import { icon } from '../plain-page/icon';
import { words } from '../plain-page/words';
import type { PageAssets } from './assets';
import { themeStylesheet } from './theme';

const STYLES = ['base.css', 'portal.css', 'catalogue.css', 'navigation.css', 'motion.css'];
/** Fetched only when it is needed, or never: types alone. */
const ON_DEMAND = /^(words\/|vendor\/qr\.js$|shapes\.js$)/;

export const assetPath = (version: string, name: string): string =>
  `/portal/assets/${version}/${name}`;

/**
 * The page as it is sent: everything it needs to start is named or given, and nothing in it is anybody's own.
 *
 * @param portal with the locale in which it speaks to this visitor
 */
export function renderShell(
  { config, default_locale, timezone }: identity.Portal,
  { version, files }: PageAssets,
  nonce: string,
): string {
  const shown = config!;
  const language = languageOf(default_locale);
  const modules = [...files.keys()].filter(
    (name) => name.endsWith('.js') && (!ON_DEMAND.test(name) || name === `words/${language}.js`),
  );
  const given = { ...shown, custom_css: undefined, locale: default_locale, timezone };
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${text(shown.workspace_name)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="theme-color" content="${text(shown.background_color)}">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${text(icon(shown.workspace_name, shown.primary_color))}">
${STYLES.map((name) => `<link rel="stylesheet" href="${assetPath(version, name)}">`).join('\n')}
<style nonce="${nonce}">${styles(themeStylesheet(shown))}
${styles(shown.custom_css ?? '')}</style>
${modules.map((name) => `<link rel="modulepreload" href="${assetPath(version, name)}">`).join('\n')}
<script type="module" src="${assetPath(version, 'main.js')}"></script>
</head>
<body>
<div id="app"></div>
<noscript><main class="sign-in"><h1>${text(shown.workspace_name)}</h1><p class="lead">${text(words[language].needsScript)}</p></main></noscript>
<script type="application/json" id="portal">${json(given)}</script>
</body>
</html>
`;
}

/** It was cleaned when it was stored; this is where a mistake there would matter. */
const styles = (css: string): string => css.replaceAll('</', '<\\/');
