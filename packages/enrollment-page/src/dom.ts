type Child = Node | string | null;

/** An element with its attributes and children; an attribute that is false or null is left out, true is empty. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | boolean | null>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}
