import { element } from './dom.ts';
import type { Language } from './language.ts';
import type { Enrolled } from './shapes.ts';

export type Device = 'apple' | 'google' | 'other';

/** Which wallet the visitor's device has; both are offered where that is unclear. */
export function deviceOf({ userAgent, maxTouchPoints }: Navigator): Device {
  if (/Android/i.test(userAgent)) return 'google';
  // An iPad says that it is a Mac, but no Mac is touched.
  const isPad = /Macintosh/.test(userAgent) && maxTouchPoints > 1;
  return /iPhone|iPad|iPod/.test(userAgent) || isPad ? 'apple' : 'other';
}

export interface DoneOptions {
  enrolled: Enrolled;
  name: string;
  /** Instead of the welcome of somebody new. */
  title?: string;
  language: Language;
  device: Device;
  /** Where the new member sees points and rewards; null where that cannot be opened from here. */
  portalUrl: string | null;
  /** How deep the form stands in its page. */
  heading: 'h1' | 'h2';
}

/** What somebody sees who sent the form: the way to the pass, or where it was sent. */
export function createDone(options: DoneOptions): HTMLElement {
  const { enrolled, language, name } = options;
  const { client_token, apple_pass_url, google_pass_url } = enrolled.data;
  const hasMailedLinks = enrolled.emailSent && Boolean(apple_pass_url || google_pass_url);
  const links = linksFor(options);
  // The answer of a repeat leaves the token out as well; only of somebody known is the pass older than the form, or missing.
  const isKnown = client_token === null && (enrolled.isResend || enrolled.data.pass_id === null);
  const title = isKnown
    ? language.say('known.title')
    : (options.title ?? language.say('done.title', { name }));
  const heading = element(options.heading, { tabindex: '-1' }, title);
  const sentences = [
    isKnown
      ? language.say(enrolled.emailSent ? 'known.mailed' : 'known.texted')
      : language.say(way(options)),
    ...(!isKnown && hasMailedLinks ? [language.say('done.mailed')] : []),
    // Of a known client nothing is counted before they confirm.
    ...(isKnown ? [] : referralSentence(enrolled, language)),
  ];
  const root = element('div', { class: 'done' }, heading);
  for (const sentence of sentences) root.append(element('p', {}, sentence));
  if (offered(links).length > 0) root.append(createLinks(links, options));
  if (options.portalUrl !== null)
    root.append(element('a', { class: 'portal', href: options.portalUrl }, language.say('portal')));
  return root;
}

/** How to keep the card: in a wallet, else as a bookmark, else by being known at the counter. */
function way(options: DoneOptions): 'done.text' | 'done.bookmark' | 'done.counter' {
  if (offered(linksFor(options)).length > 0) return 'done.text';
  return options.portalUrl === null ? 'done.counter' : 'done.bookmark';
}

/** The wallets of this device that would take the pass. */
function linksFor({ enrolled, device }: DoneOptions): Links {
  const { apple_pass_url: apple, google_pass_url: google } = enrolled.data;
  return { apple: device === 'google' ? null : apple, google: device === 'apple' ? null : google };
}

/** What somebody sees whose link was used before: that it is done, and where to sign in. */
export function createRepeated({
  title,
  language,
  portalUrl,
}: Pick<DoneOptions, 'language' | 'portalUrl'> & { title: string }): HTMLElement {
  return element(
    'div',
    { class: 'done' },
    element('h1', { tabindex: '-1' }, title),
    element('p', {}, language.say('confirm.repeated')),
    portalUrl === null
      ? null
      : element('a', { class: 'portal', href: portalUrl }, language.say('portal')),
  );
}

function referralSentence({ referral }: Enrolled, language: Language): string[] {
  if (!referral) return [];
  return [language.say(referral.outcome === 'applied' ? 'referral.applied' : 'referral.other')];
}

/** Null for a wallet that would not take the pass. */
interface Links {
  apple: string | null;
  google: string | null;
}

const WALLETS = ['apple', 'google'] as const;

function offered(links: Links) {
  return WALLETS.flatMap((wallet) => {
    const link = links[wallet];
    return link === null ? [] : [{ wallet, link }];
  });
}

function createLinks(links: Links, { language, device }: DoneOptions): HTMLElement {
  const buttons = offered(links).map(({ wallet, link }) =>
    element('a', { class: `wallet ${wallet}`, href: link }, language.say(wallet)),
  );
  const root = element('div', { class: 'wallets' }, ...buttons);
  if (device === 'other') void appendCodes(root, links, language);
  return root;
}

/** Codes by which a phone goes on from here; a page that cannot draw them still has the links. */
async function appendCodes(root: HTMLElement, links: Links, language: Language): Promise<void> {
  const { renderSVG } = await import('./vendor/qr.js').catch(() => ({ renderSVG: null }));
  if (renderSVG === null) return;
  const codes = offered(links).map(({ wallet, link }) => {
    const drawn = new DOMParser().parseFromString(renderSVG(link), 'image/svg+xml');
    const code = document.importNode(drawn.documentElement, true);
    code.setAttribute('role', 'img');
    code.setAttribute('aria-label', language.say(`qr.${wallet}`));
    return element('figure', {}, code, element('figcaption', {}, language.say(`scan.${wallet}`)));
  });
  root.append(
    element('p', { class: 'scan' }, language.say('scan')),
    element('div', { class: 'codes' }, ...codes),
  );
}
