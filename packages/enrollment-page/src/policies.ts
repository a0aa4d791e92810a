import { element } from './dom.ts';
import type { Language } from './language.ts';

interface Policies {
  privacy_url?: string | null;
  terms_url?: string | null;
}

/** What a visitor may read before they send the form; null where the workspace names nothing. */
export function createPolicies(
  { privacy_url, terms_url }: Policies,
  language: Language,
): HTMLElement | null {
  const links = [
    [privacy_url, language.say('privacy')],
    [terms_url, language.say('terms')],
  ].flatMap(([href, label]) =>
    href && label ? [element('a', { href, target: '_blank', rel: 'noopener' }, label)] : [],
  );
  return links.length === 0 ? null : element('p', { class: 'policies' }, ...links);
}
