import { newKey } from '@laurel/page-kit/new-key';

/** An element with its properties and what is in it. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** A field below its name. */
export function labelled(name: string, field: HTMLElement): HTMLElement {
  field.id ||= `try-${newKey()}`;
  const label = element('label', { htmlFor: field.id }, name);
  return element('div', { className: 'field' }, label, field);
}
