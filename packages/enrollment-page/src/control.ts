import { element } from './dom.ts';
import type { Language } from './language.ts';
import type { Value } from './questions.ts';
import type { FormField } from './shapes.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A question on the page: its label, its control, and the place where it says what is wrong. */
export interface Question {
  name: string;
  root: HTMLElement;
  control: Control;
  value(): Value;
  /** Says what is wrong, or with null that nothing is. */
  complain(sentence: string | null): void;
  /** What is wrong as far as the browser can tell; null when nothing is. */
  complaint(): string | null;
}

const INPUT_TYPES: Record<string, string> = {
  email: 'email',
  tel: 'tel',
  phone: 'tel',
  date: 'date',
  url: 'url',
};
const NUMBER = '[\\-−]?[0-9]+([.,][0-9]+)?';
const AUTOCOMPLETE: Record<string, string> = {
  email: 'email',
  first_name: 'given-name',
  last_name: 'family-name',
  phone: 'tel',
  birth_date: 'bday',
};

/** @param prefix tells the ids of one form from those of another in the same tree */
export function createQuestion(field: FormField, language: Language, prefix: string): Question {
  const { name, label, required } = field;
  const id = `${prefix}-${name}`;
  const control = createControl(field, language, id);
  const error = element('p', { class: 'error', id: `${id}-error`, hidden: true });
  const isTicked = control instanceof HTMLInputElement && control.type === 'checkbox';
  const caption = element('label', { for: id }, label);
  if (!required && !isTicked)
    caption.append(' ', element('span', { class: 'optional' }, `(${language.say('optional')})`));
  const root = isTicked
    ? element('div', { class: 'question tick' }, control, caption, error)
    : element('div', { class: 'question' }, caption, control, error);

  return {
    name,
    root,
    control,
    value: () => (isTicked ? (control as HTMLInputElement).checked : control.value),
    complain(sentence) {
      error.textContent = sentence;
      error.hidden = sentence === null;
      if (sentence === null) {
        control.removeAttribute('aria-invalid');
        control.removeAttribute('aria-describedby');
      } else {
        control.setAttribute('aria-invalid', 'true');
        control.setAttribute('aria-describedby', error.id);
      }
    },
    complaint() {
      const { validity, value } = control;
      const isBlank = required && !isTicked && value.trim() === '' && !validity.badInput;
      if (validity.valueMissing || isBlank)
        return language.say(isTicked ? 'field.unticked' : 'field.missing');
      if (validity.valid) return null;
      return language.say(field.type === 'email' ? 'field.email' : 'field.invalid');
    },
  };
}

function createControl(field: FormField, language: Language, id: string): Control {
  const { name, type, required } = field;
  const common = { id, name, required };
  if (type === 'select') {
    const options = (field.options ?? []).map((option) =>
      element('option', { value: option }, option),
    );
    return element(
      'select',
      common,
      element('option', { value: '' }, language.say('choose')),
      ...options,
    );
  }
  if (type === 'textarea') return element('textarea', { ...common, rows: '3', maxlength: '1000' });
  if (type === 'checkbox') return element('input', { ...common, type: 'checkbox' });
  // A yes-or-no question may be answered with no: its box need not be ticked.
  if (type === 'boolean') return element('input', { id, name, type: 'checkbox' });
  // A browser's own field for numbers drops the comma that its language does not use: 25 of "2,5".
  if (type === 'number')
    return element('input', { ...common, type: 'text', inputmode: 'decimal', pattern: NUMBER });
  return element('input', {
    ...common,
    type: INPUT_TYPES[type] ?? 'text',
    autocomplete: AUTOCOMPLETE[name] ?? null,
    maxlength: name === 'phone' ? '50' : '255',
  });
}
