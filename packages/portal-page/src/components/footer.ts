import { usePortal } from '../portal-context.ts';
import { html, type VNode } from '../vendor/preact.js';

/** What the shop has to say on privacy and terms, and who it is; nothing where it names none. */
export function Footer(): VNode | null {
  const { config, language } = usePortal();
  const links = [
    { url: config.privacy_url, words: language.say('footer.privacy') },
    { url: config.terms_url, words: language.say('footer.terms') },
    { url: config.imprint_url, words: language.say('footer.imprint') },
  ].filter(({ url }) => url);
  if (links.length === 0) return null;
  return html`<footer class="footer">
    ${links.map(
      ({ url, words }) =>
        html`<a key=${words} href=${url} target="_blank" rel="noopener">${words}</a>`,
    )}
  </footer>`;
}
