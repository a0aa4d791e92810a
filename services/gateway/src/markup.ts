const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in a page, between tags or in a quoted attribute. */
export const text = (value: string): string => value.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);

/** JSON that ends no script element and opens no comment in one. */
export const json = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
