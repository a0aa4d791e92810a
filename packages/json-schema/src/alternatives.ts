import {
  type Conversion,
  type Described,
  type JsonSchema,
  union,
  valuesOf,
  type When,
} from './described';

/**
 * Plain alternatives are any of them. A switch on a member is one form per value, chosen by that member; a test
 * before it that only words the refusal of what is no object at all is left out.
 *
 * @param forms what the components of the forms are called, in front of the value
 */
export function alternativesSchema(
  { matches = [], flags }: Described,
  conversion: Conversion,
  forms: string | undefined,
): JsonSchema {
  if (matches.every(({ schema }) => schema)) {
    const any = union(matches.map(({ schema }) => conversion.convert(schema!)));
    return flags?.match === 'one' && any.anyOf ? { oneOf: any.anyOf } : any;
  }
  const [match, ...others] = matches;
  if (!match || others.length > 0) throw new Error('alternatives are of one kind only');
  if (match.switch && match.ref?.path?.length === 1)
    return formsSchema(match.switch, conversion, { member: match.ref.path[0]!, forms });
  if (match.is && match.then?.type === 'alternatives')
    return alternativesSchema(match.then, conversion, forms);
  throw new Error('no JSON Schema for these alternatives');
}

function formsSchema(
  cases: readonly When[],
  conversion: Conversion,
  { member, forms }: { member: string; forms: string | undefined },
): JsonSchema {
  const mapping: Record<string, string> = {};
  const oneOf = cases
    .filter(({ is }) => is)
    .map(({ is, then }) => {
      const value = String(valuesOf(is!.allow)[0]);
      const form = conversion.convert(then!);
      form.properties = { ...form.properties, [member]: { type: 'string', const: value } };
      if (forms === undefined) return form;
      const name = forms + pascalCase(value);
      conversion.gathered.components[name] = form;
      mapping[value] = `#/components/schemas/${name}`;
      return { $ref: mapping[value] };
    });
  if (forms === undefined) return { oneOf };
  return { oneOf, discriminator: { propertyName: member, mapping } };
}

/** earn_points -> EarnPoints */
export function pascalCase(words: string): string {
  return words.replace(/(?:^|[^a-zA-Z0-9])([a-zA-Z0-9])/g, (_, first: string) =>
    first.toUpperCase(),
  );
}
