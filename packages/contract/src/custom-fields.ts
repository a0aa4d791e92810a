const PREFIX = 'custom_fields.';

/** The name under which a custom field stands where columns of a client do, too: `custom_fields.city`. */
export const customFieldPath = (name: string): string => `${PREFIX}${name}`;

/** The custom field that such a name means, by its bare name; null for a column. */
export const customFieldOf = (path: string): string | null =>
  path.startsWith(PREFIX) ? path.slice(PREFIX.length) : null;

/** The bare name of a field, which may stand with or without `custom_fields.` in front. */
export const bareFieldName = (name: string): string => customFieldOf(name) ?? name;
