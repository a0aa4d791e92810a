import { createLanguage, type Language } from './language.ts';
import { chosenLanguage, createChoice } from './languages.ts';
import { formStyle } from './style.ts';

/** What the gateway writes into a page: what it is to show, or why there is nothing. */
type Given<Shown> = ({ status: 200; locale: string } & Shown) | { status: number; locale: string };

/** What a page draws: what it was given, where, and in which language. */
export interface Drawing<Shown> {
  given: Given<Shown>;
  language: Language;
  root: HTMLElement;
}

/** Draws a page in the language that the visitor chose, else in the one that it was given, and again in any that they choose. */
export function openPage<Shown extends object>(draw: (drawing: Drawing<Shown>) => void): void {
  const given = JSON.parse(document.getElementById('enrollment')!.textContent!) as Given<Shown>;
  const root = document.getElementById('app')!;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, formStyle()];
  const drawIn = (language: Language): void => {
    document.documentElement.lang = language.code;
    draw({ given, language, root });
    const choice = createChoice(language, (chosen) => {
      const typed = typedIn(root);
      drawIn(chosen);
      typeInto(root, typed);
      root.querySelector<HTMLElement>('.languages select')?.focus();
    });
    root.append(choice);
  };
  drawIn(createLanguage(chosenLanguage() ?? given.locale));
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Typed = ReadonlyMap<string, string | boolean>;

const controlsIn = (root: HTMLElement): Control[] => [
  ...root.querySelectorAll<Control>('form [name]'),
];
const isTick = (control: Control): control is HTMLInputElement => control.type === 'checkbox';

/** What the visitor filled in so far, which another language must not take from them. */
const typedIn = (root: HTMLElement): Typed =>
  new Map(
    controlsIn(root).map((control) => [
      control.name,
      isTick(control) ? control.checked : control.value,
    ]),
  );

function typeInto(root: HTMLElement, typed: Typed): void {
  for (const control of controlsIn(root)) {
    const value = typed.get(control.name);
    if (isTick(control)) control.checked = value === true;
    else if (typeof value === 'string') control.value = value;
  }
}
