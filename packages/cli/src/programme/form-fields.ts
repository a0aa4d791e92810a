import { isBody } from './references';

/** As the server takes them: of a field of clients, of a custom field, or referral_code. */
const NAME = /^(custom_fields\.)?[A-Za-z_][A-Za-z0-9_-]*$/;
const NAME_MAX = 80;
const CUSTOM = /^custom_fields\./;

/** What the server would refuse about the names of a form's fields, each with its place; what else is odd about it, it says. */
export function complaintsAboutForm(fields: unknown): string[] {
  if (!Array.isArray(fields)) return [];
  const seen = new Set<string>();
  return fields.flatMap((field: unknown, index) => {
    const name = isBody(field) ? field.name : undefined;
    const place = `form_fields_config.${index}.name`;
    if (typeof name !== 'string') return [`${place} is missing`];
    if (name.length > NAME_MAX || !NAME.test(name))
      return [
        `${place} is ${JSON.stringify(name)}, and no field of clients, custom field or referral_code is called that`,
      ];
    const plain = name.replace(CUSTOM, '');
    if (seen.has(plain)) return [`${place} is ${JSON.stringify(name)}, which the form has already`];
    seen.add(plain);
    return [];
  });
}
