import { chooseLanguage, languages } from '../language-choice.ts';
import { usePortal } from '../portal-context.ts';
import { html, type VNode } from '../vendor/preact.js';

/** What the shop has to say on privacy and terms, and who it is; and the languages of the page. */
export function Footer(): VNode {
  const { config, language } = usePortal();
  const links = [
    { url: config.privacy_url, words: language.say('footer.privacy') },
    { url: config.terms_url, words: language.say('footer.terms') },
    { url: config.imprint_url, words: language.say('footer.imprint') },
  ].filter(({ url }) => url);
  return html`<footer class="footer">
    ${links.map(
      ({ url, words }) =>
        html`<a key=${words} href=${url} target="_blank" rel="noopener">${words}</a>`,
    )}
    <select
      aria-label=${language.say('footer.language')}
      onChange=${(event: Event) => chooseLanguage((event.target as HTMLSelectElement).value)}
    >
      ${languages().map(
        ({ code, name }) =>
          html`<option key=${code} value=${code} lang=${code} selected=${language.locale.startsWith(code)}>${name}</option>`,
      )}
    </select>
  </footer>`;
}
