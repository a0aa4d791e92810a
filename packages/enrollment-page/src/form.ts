import { type Door, EnrollmentError } from './api.ts';
import { isBusy, setBusy } from './busy.ts';
import { createQuestion, type Question } from './control.ts';
import { element } from './dom.ts';
import { type Why, whyOf } from './gone.ts';
import type { Language } from './language.ts';
import { createPolicies } from './policies.ts';
import { answersOf, questionsOf } from './questions.ts';
import type { Answers, Enrolled, Form } from './shapes.ts';

export interface FormOptions {
  form: Form;
  door: Door;
  language: Language;
  /** The referral code that the visitor came with. */
  code: string | null;
  onEnrolled(enrolled: Enrolled, answers: Answers): void;
  /** The form was closed or taken down meanwhile. */
  onGone(why: Why): void;
}

let forms = 0;

/** The form itself: asks, says what is missing at the question concerned, sends, and tells when it is done. */
export function createForm(options: FormOptions): HTMLFormElement {
  const { language, code } = options;
  forms += 1;
  const asked = questionsOf(options.form.form_fields_config, code, language);
  const questions = asked.map((field) => createQuestion(field, language, `laurel-${forms}`));
  for (const { name, control } of questions) {
    if (name === 'referral_code' && code !== null) control.value = code;
  }
  const notice = element('p', { class: 'notice', role: 'alert' });
  const button = element('button', { type: 'submit', class: 'primary' }, language.say('submit'));
  const roots = questions.map(({ root }) => root);
  const policies = createPolicies(options.form, language);
  const form = element('form', { novalidate: true }, ...roots, policies, notice, button);

  const send = createSender(options);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isBusy(button)) return;
    notice.textContent = '';
    if (complainWhereNeeded(questions)) {
      notice.textContent = language.say('error.fields');
      return;
    }
    setBusy(button, true);
    button.textContent = language.say('sending');
    const values = new Map(questions.map((question) => [question.name, question.value()]));
    const answers = answersOf(asked, (name) => values.get(name) ?? '');
    void send(answers)
      .catch((error: unknown) => {
        notice.textContent = explain(error, questions, options);
      })
      .finally(() => {
        setBusy(button, false);
        button.textContent = language.say('submit');
      });
  });
  return form;
}

/** Sends answers under one key until they are accepted or changed, so that a lost answer enrols no visitor twice. */
function createSender({ door, onEnrolled }: FormOptions) {
  let sent = { text: '', key: '' };
  return async (answers: Answers): Promise<void> => {
    const text = JSON.stringify(answers);
    if (text !== sent.text) sent = { text, key: newKey() };
    const enrolled = await door.submit(answers, sent.key).catch((error: unknown) => {
      // A key is answered as it was, whatever the shop has mended since.
      if (error instanceof EnrollmentError && !error.isOpen) sent = { text: '', key: '' };
      throw error;
    });
    onEnrolled(enrolled, answers);
  };
}

/** Pages without TLS have no `crypto.randomUUID`. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Says at each question what is wrong with it, and goes to the first; false when nothing is. */
function complainWhereNeeded(questions: readonly Question[]): boolean {
  const wrong = questions.filter((question) => {
    const complaint = question.complaint();
    question.complain(complaint);
    return complaint !== null;
  });
  wrong[0]?.control.focus();
  return wrong.length > 0;
}

function explain(
  error: unknown,
  questions: readonly Question[],
  { language, onGone }: FormOptions,
): string {
  if (!(error instanceof EnrollmentError)) return language.say('error.other');
  if (error.status === 403 || error.status === 404) onGone(whyOf(error));
  if (error.status === 0) return language.say('error.unreachable');
  if (error.status === 429) return language.say('error.limited');
  const wrong = questions.filter(({ name }) => error.fields.includes(name));
  if (wrong.length === 0) return language.say('error.other');
  for (const question of wrong) question.complain(language.say('field.invalid'));
  wrong[0]!.control.focus();
  return language.say('error.fields');
}
