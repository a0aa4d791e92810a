import { catalogue, type EventDefinition, findDefinition } from '.';

type Personal = Pick<EventDefinition, 'personal' | 'isImpersonal'>;

/** Whether an event tells more of its client than ids. */
export const isPersonal = ({ type }: { type: string }): boolean =>
  Object.keys(findDefinition(type)?.personal ?? {}).length > 0;

/**
 * The data of an event about a client who was erased since: what may say who it was is empty (docs/adr/0043). Data of an
 * unknown type, and what says nothing of the person, comes back as it is.
 */
export const erasedData = <Data>(type: string, data: Data): Data =>
  withoutPerson(findDefinition(type) ?? { personal: {} }, data);

/** As `erasedData`, of what webhooks carry under a name; several types may share one. */
export const erasedUnder = <Data>(webhook: string, data: Data): Data =>
  catalogue
    .filter((definition) => isUnder(definition, webhook))
    .reduce((left, definition) => withoutPerson(definition, left), data);

function isUnder({ webhook }: EventDefinition, name: string): boolean {
  if (webhook === null) return false;
  return webhook.endsWith('.*') ? name.startsWith(webhook.slice(0, -1)) : webhook === name;
}

function withoutPerson<Data>({ personal, isImpersonal }: Personal, data: Data): Data {
  if (isImpersonal?.(data)) return data;
  return Object.entries(personal).reduce(
    (left, [path, empty]) => withEmpty(left, path.split('.'), empty) as Data,
    data,
  );
}

function withEmpty(value: unknown, [name, ...rest]: readonly string[], empty: unknown): unknown {
  if (name === undefined) return empty;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  const members = value as Record<string, unknown>;
  return { ...members, [name]: withEmpty(members[name], rest, empty) };
}
