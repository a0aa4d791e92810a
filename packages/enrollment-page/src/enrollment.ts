import type { Door } from './api.ts';
import { element } from './dom.ts';
import { createDone, deviceOf } from './done.ts';
import { createForm } from './form.ts';
import type { Language } from './language.ts';
import type { Enrolled, Form } from './shapes.ts';

export type Heading = 'h1' | 'h2';

export interface EnrollmentOptions {
  form: Form;
  door: Door;
  language: Language;
  code: string | null;
  /** How deep the form stands in its page. */
  heading: Heading;
  /** Hears of an enrollment before it is shown; says where the new member goes from here. */
  onEnrolled(enrolled: Enrolled): string | null;
}

/** Shows the form in `root`, and in its place what came of it. */
export function mountEnrollment(root: HTMLElement, options: EnrollmentOptions): void {
  const { form, language, heading } = options;
  const name = form.workspace.name;
  root.lang = language.code;
  root.replaceChildren(
    element(heading, {}, language.say('title', { name })),
    element('p', { class: 'lead' }, language.say('lead')),
    createForm({
      ...options,
      onEnrolled: (enrolled, answers) => {
        const portalUrl = options.onEnrolled(enrolled);
        const device = deviceOf(navigator);
        const person = { name: answers.first_name ?? '', device };
        show(root, createDone({ enrolled, language, portalUrl, heading, ...person }));
      },
      onGone: (status) => showGone(root, { language, heading, status }),
    }),
  );
}

interface GoneOptions {
  language: Language;
  heading: Heading;
  status: number;
}

/** Says that there is no form to fill in: 403 it is closed, else it does not exist. */
export function showGone(root: HTMLElement, { language, heading, status }: GoneOptions): void {
  const why = status === 403 ? 'closed' : 'missing';
  const title = element(heading, { tabindex: '-1' }, language.say(`${why}.title`));
  const text = element('p', {}, language.say(`${why}.text`));
  root.lang = language.code;
  show(root, element('div', { class: 'gone' }, title, text));
}

/** Whoever cannot see the change is taken to it. */
function show(root: HTMLElement, content: HTMLElement): void {
  root.replaceChildren(content);
  content.querySelector<HTMLElement>('h1, h2')?.focus();
}
