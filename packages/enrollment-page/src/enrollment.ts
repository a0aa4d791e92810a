import type { Door } from './api.ts';
import { element } from './dom.ts';
import { createDone, deviceOf } from './done.ts';
import { createForm } from './form.ts';
import { type Heading, show, showGone } from './gone.ts';
import type { Language } from './language.ts';
import type { Enrolled, Form } from './shapes.ts';

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
      onGone: (why) => showGone(root, { language, heading, why }),
    }),
  );
}
