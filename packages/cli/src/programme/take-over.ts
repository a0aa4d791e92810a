import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { UsageError } from '../failures';
import type { Wanted } from './files';
import { isSingle, type KindName, topOf } from './kinds';
import { type Found, worthSaying } from './live';
import { compare } from './plan';

/**
 * Takes what one thing is by now over into its file: the fields that the file names and that differ, and nothing else of
 * it, comments included. What stands in no file comes into that of its kind.
 *
 * @returns the file that was written, or null where nothing differs
 */
export function takeOver(
  folder: string,
  id: string,
  { wanted, found }: { wanted: readonly Wanted[]; found: readonly Found[] },
): string | null {
  const isIt = (one: { kind: KindName; key: string }) => `${one.kind}/${one.key}` === id;
  const live = found.find(isIt);
  if (!live) throw new UsageError(`the workspace has no ${id}`);
  const said = wanted.find(isIt);
  const file = path.join(folder, said?.file ?? `${topOf(live.kind)}.yaml`);
  const document = parseDocument(existsSync(file) ? readFileSync(file, 'utf8') : '{}\n', {
    merge: true,
  });
  if (!said) {
    document.setIn(placeOf(live), worthSaying(live));
    writeFileSync(file, document.toString());
    return file;
  }
  const { key: _key, ...body } = said.body;
  const names = new Set(compare(body, live.body).map(({ field }) => field.split('.')[0]!));
  for (const name of names) {
    const place = [...placeOf(live), name];
    if (!document.hasIn(place))
      throw new UsageError(`${file}: ${id} has its ${name} by its place; put it where it belongs`);
    if (String(document.getIn(place)).includes('${env:'))
      throw new UsageError(`${file}: the ${name} of ${id} comes from the environment`);
    document.setIn(place, live.body[name]);
  }
  if (names.size === 0) return null;
  writeFileSync(file, document.toString());
  return file;
}

function placeOf({ kind, key }: Pick<Found, 'kind' | 'key'>): string[] {
  if (isSingle(kind)) return [topOf(kind)];
  return kind === 'tiers' ? ['tiers', 'ladder', key] : [kind, key];
}
