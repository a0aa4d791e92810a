import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlias, isCollection, isNode, parseDocument, stringify } from 'yaml';
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
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}\n';
  const document = parseDocument(text, { merge: true });
  if (!said) {
    document.setIn(placeOf(live), worthSaying(live));
    writeFileSync(file, document.toString(ON_ONE_LINE));
    return file;
  }
  const { key: _key, ...body } = said.body;
  const edits: Edit[] = [];
  const names = new Set(compare(body, live.body).map(({ field }) => field.split('.')[0]!));
  for (const name of names) {
    const place = [...placeOf(live), name];
    if (!document.hasIn(place))
      throw new UsageError(`${file}: ${id} has its ${name} by its place; put it where it belongs`);
    if (String(document.getIn(place)).includes('${env:'))
      throw new UsageError(`${file}: the ${name} of ${id} comes from the environment`);
    edits.push(...editOf({ text, node: document.getIn(place, true) }, live.body[name]));
    document.setIn(place, live.body[name]);
  }
  if (names.size === 0) return null;
  const isEdited = edits.length === names.size;
  writeFileSync(file, isEdited ? edited(text, edits) : document.toString(ON_ONE_LINE));
  return file;
}

/** Lines stay as long as their author made them. */
const ON_ONE_LINE = { lineWidth: 0 };

/** What comes in place of a piece of the text. */
interface Edit {
  from: number;
  to: number;
  text: string;
}

/**
 * A value in place of another of the same line, so that all around it stays as it was written: who reads the change
 * sees the change. None for a value with lines of its own, or one that others refer to.
 */
function editOf({ text, node }: { text: string; node: unknown }, value: unknown): Edit[] {
  if (!isNode(node) || isAlias(node) || node.tag || node.anchor || !node.range) return [];
  if (isCollection(node) ? !node.flow : typeof value === 'object' && value !== null) return [];
  const [from, to] = node.range;
  if (text.slice(from, to).includes('\n')) return [];
  const list = stringify([value], {
    ...ON_ONE_LINE,
    collectionStyle: 'flow',
    flowCollectionPadding: false,
  });
  return [{ from, to, text: list.trim().slice(1, -1) }];
}

function edited(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.from - a.from)
    .reduce((left, edit) => left.slice(0, edit.from) + edit.text + left.slice(edit.to), text);
}

function placeOf({ kind, key }: Pick<Found, 'kind' | 'key'>): string[] {
  if (isSingle(kind)) return [topOf(kind)];
  return kind === 'tiers' ? ['tiers', 'ladder', key] : [kind, key];
}
