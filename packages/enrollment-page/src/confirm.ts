import { confirm, EnrollmentError } from './api.ts';
import { isBusy, setBusy } from './busy.ts';
import { element } from './dom.ts';
import { createDone, createRepeated, deviceOf } from './done.ts';
import { openPage } from './given.ts';
import { show, showGone, whyOf } from './gone.ts';
import type { Language } from './language.ts';
import { createPolicies } from './policies.ts';
import { labelOf } from './questions.ts';
import type { Confirmation, Enrolled } from './shapes.ts';
import { dress, type Look, signIn } from './surroundings.ts';

interface Page {
  language: Language;
  root: HTMLElement;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

openPage<{ confirmation: Confirmation; look: Look }>(({ given, language, root }) => {
  if ('confirmation' in given) {
    document.title = language.say('confirm.title');
    dress(given.look, given.confirmation.workspace.name);
    root.replaceChildren(...createRequest(given.confirmation, given.look, { language, root }));
    return;
  }
  showGone(root, { language, heading: 'h1', why: given.status === 403 ? 'closed' : 'ended' });
  document.title = root.querySelector('h1')!.textContent!;
});

/** Nothing happens before the button is pressed: programs that look at mails open links, too. */
function createRequest(
  confirmation: Confirmation,
  look: Look,
  page: Page,
): (HTMLElement | string)[] {
  const { language } = page;
  const { name } = confirmation.workspace;
  const notice = element('p', { class: 'notice', role: 'alert' });
  const button = element(
    'button',
    { type: 'button', class: 'primary' },
    language.say('confirm.button'),
  );
  const token = new URLSearchParams(location.search).get('token') ?? '';
  button.addEventListener('click', () => {
    if (isBusy(button)) return;
    setBusy(button, true);
    notice.textContent = '';
    void confirm(token)
      .then((enrolled) => showDone(page, enrolled, { look, slug: confirmation.workspace.slug }))
      .catch((error: unknown) => {
        notice.textContent = explain(page, error);
      })
      .finally(() => {
        setBusy(button, false);
      });
  });
  const policies = createPolicies(confirmation, language);
  return [
    element('h1', {}, language.say('confirm.title')),
    element('p', { class: 'lead' }, language.say('confirm.text', { name })),
    ...createAnswers(confirmation, language),
    ...(policies ? [policies] : []),
    notice,
    button,
    element('p', { class: 'ignore' }, language.say('confirm.ignore')),
  ];
}

function createAnswers({ answers, consent_text }: Confirmation, language: Language): HTMLElement[] {
  const { say } = language;
  const rows = answers.flatMap(({ name, label, value }) => [
    element('dt', {}, labelOf({ name, label }, language) || say(nameOf(name))),
    element('dd', {}, shownOf(value, language)),
  ]);
  const boxed = (title: string, content: HTMLElement) =>
    element('section', { class: 'answers' }, element('h2', {}, title), content);
  return [
    ...(rows.length > 0 ? [boxed(say('confirm.answers'), element('dl', {}, ...rows))] : []),
    ...(consent_text === null
      ? []
      : [boxed(say('confirm.consent'), element('blockquote', {}, consent_text))]),
  ];
}

/** What was answered, in the way of the reader. */
function shownOf(value: string, { code, say }: Language): string {
  if (value === 'true' || value === 'false') return say(value === 'true' ? 'yes' : 'no');
  // A day has no zone: it is the same day everywhere.
  return DAY.test(value) && !Number.isNaN(Date.parse(value))
    ? new Date(value).toLocaleDateString(code, { dateStyle: 'long', timeZone: 'UTC' })
    : value;
}

/** A column that the form does not ask for by words of its own. */
function nameOf(name: string): 'first_name' | 'last_name' | 'phone' | 'birth_date' {
  const columns = ['last_name', 'phone', 'birth_date'] as const;
  return columns.find((column) => column === name) ?? 'first_name';
}

function showDone(
  { root, language }: Page,
  enrolled: Enrolled,
  { look, slug }: { look: Look; slug: string },
): void {
  const token = enrolled.data.client_token;
  const title = language.say('confirm.done');
  const portal = look.has_portal ? `/portal/${encodeURIComponent(slug)}` : null;
  if (token === null) {
    // Pressed before, perhaps elsewhere: what opens the account went to the first.
    show(root, createRepeated({ title, language, portalUrl: portal }));
    return;
  }
  const portalUrl = portal !== null && signIn(slug, token) ? portal : null;
  const device = deviceOf(navigator);
  show(root, createDone({ enrolled, name: '', title, language, device, portalUrl, heading: 'h1' }));
}

function explain({ root, language }: Page, error: unknown): string {
  if (!(error instanceof EnrollmentError)) return language.say('error.other');
  if (error.status === 403) showGone(root, { language, heading: 'h1', why: whyOf(error) });
  if (error.status === 400) showGone(root, { language, heading: 'h1', why: 'ended' });
  if (error.isCardOver) showGone(root, { language, heading: 'h1', why: 'over' });
  if (error.status === 0) return language.say('error.unreachable');
  return language.say(error.status === 429 ? 'error.limited' : 'error.other');
}
