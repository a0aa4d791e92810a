import { App } from './app.ts';
import { loadLanguage } from './language.ts';
import { chosenLocale } from './language-choice.ts';
import { takeLinkToken } from './link-token.ts';
import { createSessionStore } from './session-store.ts';
import type { PortalConfig } from './shapes.ts';
import { html, render } from './vendor/preact.js';

/** How the page writes words and days. */
interface Place {
  locale: string;
  /** A gateway of before names none. */
  timezone?: string;
}

// Before anything else runs that may look at the address.
const linkToken = takeLinkToken(location, history);

const given = document.getElementById('portal')!.textContent!;
const { locale, timezone, ...config } = JSON.parse(given) as PortalConfig & Place;
const language = await loadLanguage(chosenLocale(locale), timezone);
document.documentElement.lang = language.locale;

const props = { config, language, linkToken, store: createSessionStore(config.workspace_slug) };
render(html`<${App} ...${props} />`, document.getElementById('app')!);
