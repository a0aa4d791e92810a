import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { UsageError } from '../failures';
import { complaintsAboutForm } from './form-fields';
import { type Body, isSingle, KIND_NAMES, KINDS, type KindName, topOf } from './kinds';
import { isBody, referencesIn } from './references';
import type { Contents } from './texts';

/** One thing that the files of a programme want. */
export interface Wanted {
  kind: KindName;
  key: string;
  /** As the file says it: references are keys. */
  body: Body;
  /** Where it stands, for the author who must mend it. */
  file: string;
}

/** Codes of wallet types and names of fields. */
const CODE = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** As the platform keeps it. */
export const KEY = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** What files call it: the ladder stands within its set. */
const TOP = KIND_NAMES.filter((name) => name !== 'tier_set');

/** What `laurel programme test` reads: it is tried, and not made. */
export const SCENARIOS = 'scenarios';
/** Marks what these files own (docs/adr/0022). */
const PROGRAMME = 'programme';
const REMOVAL = 'on_removal';
/** What is called otherwise than before (`moved.ts`). */
export const MOVED = 'moved';
/** What becomes of a thing that the files named when they were applied, and no longer name. */
const ON_REMOVAL = ['deactivate', 'keep', 'delete'] as const;
export type OnRemoval = (typeof ON_REMOVAL)[number];
/** As the server says it: not only spaces and characters that show nothing. */
const VISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them stands for itself
  /[^\u034F\uFE00-\uFE0F\s\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/u;
/** What a thing is called by for people. */
const CALLED = ['name', 'field_label'];
/** What is no kind. */
const WORDS = [SCENARIOS, PROGRAMME, REMOVAL, MOVED];

/** Everything that the YAML files of a programme want, what refers after what it refers to. */
export function readProgramme(files: Contents): Wanted[] {
  const wanted = [...files].flatMap(([file, content]) => wantedIn(file, content));
  const byId = new Map<string, Wanted>();
  for (const one of wanted) {
    const id = `${one.kind}/${one.key}`;
    const other = byId.get(id);
    if (other) throw new UsageError(`${id} stands in ${other.file} and in ${one.file}`);
    byId.set(id, one);
  }
  return inOrder(wanted, byId);
}

/** What files say of their programme as a whole. */
export interface Head {
  /** Null where they do not say, so that what they own is not noted. */
  name: string | null;
  onRemoval: OnRemoval;
}

/** What files call their programme, and what becomes of what they no longer name. */
export function readHead(files: Contents): Head {
  const name = saidOnce(files, PROGRAMME);
  if (name && (typeof name.value !== 'string' || !KEY.test(name.value)))
    throw new UsageError(`${name.file}: the name of a programme is of a-z, 0-9 and -`);
  const removal = saidOnce(files, REMOVAL);
  if (!removal) return { name: (name?.value as string) ?? null, onRemoval: 'deactivate' };
  if (!name)
    throw new UsageError(
      `${removal.file}: ${REMOVAL} needs a ${PROGRAMME}: what files owned is noted under its name`,
    );
  const onRemoval = ON_REMOVAL.find((one) => one === removal.value);
  if (!onRemoval)
    throw new UsageError(`${removal.file}: ${REMOVAL} is one of ${ON_REMOVAL.join(', ')}`);
  return { name: name.value as string, onRemoval };
}

/** A word that holds for all files, so that they may not disagree. */
function saidOnce(files: Contents, word: string): { value: unknown; file: string } | null {
  let found: { value: unknown; file: string } | null = null;
  for (const [file, { [word]: value }] of files) {
    if (value === undefined) continue;
    if (found && found.value !== value)
      throw new UsageError(
        `${word} is ${found.value} in ${found.file} and ${value} in ${file}; say it once`,
      );
    found = { value, file };
  }
  return found;
}

function wantedIn(file: string, content: Body): Wanted[] {
  return Object.entries(content).flatMap(([name, said]): Wanted[] => {
    // A kind whose last thing was taken out is empty, and YAML says null.
    const value = said ?? {};
    if (WORDS.includes(name)) return [];
    if (!(TOP as string[]).includes(name))
      throw new UsageError(`${file}: ${name} is none of ${TOP.join(', ')}`);
    if (!isBody(value)) throw new UsageError(`${file}: ${name} must be a map`);
    if (isSingle(name)) return [checked({ kind: name, key: name, body: value, file })];
    if (name !== 'tiers') return keyed(name as KindName, value, file);
    const { ladder = {}, ...set } = value;
    if (!isBody(ladder)) throw new UsageError(`${file}: ladder of tiers must be a map`);
    return [
      checked({ kind: 'tier_set', key: 'tiers', body: set, file }),
      ...keyed('tiers', ladder, file).map((tier, index) => ({
        ...tier,
        // The order of the ladder is the order of the tiers, lowest first.
        body: { ...tier.body, sort_order: index },
      })),
    ];
  });
}

function keyed(kind: KindName, value: Body, file: string): Wanted[] {
  return Object.entries(value).map(([key, body]) => {
    const where = `${file}: ${kind}/${key}`;
    if (!(KINDS[kind].isKeyed ? KEY : CODE).test(key))
      throw new UsageError(
        `${where}: a key is of a-z, 0-9 and -${KINDS[kind].isKeyed ? '' : ', and _'}`,
      );
    if (!isBody(body)) throw new UsageError(`${where} must be a map`);
    return checked({ kind, key, body, file });
  });
}

/** A misspelt field would be one that is never heeded. */
function checked(wanted: Wanted): Wanted {
  const { kind, key, body, file } = wanted;
  const { fields, identity, isCode } = KINDS[kind];
  const unknown = Object.keys(body).find((name) => !fields.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`${file}: ${kind}/${key} has no ${unknown}; it has ${fields.join(', ')}`);
  if (identity !== null && !isCode && typeof body[identity] !== 'string')
    throw new UsageError(`${file}: ${kind}/${key} needs a ${identity}`);
  const blank = CALLED.find((name) => typeof body[name] === 'string' && !VISIBLE.test(body[name]));
  if (blank !== undefined)
    throw new UsageError(`${file}: ${kind}/${key}: ${blank} must not be blank`);
  const wrong = complaintsAboutForm(body.form_fields_config);
  if (wrong.length > 0) throw new UsageError(`${file}: ${kind}/${key}: ${wrong.join('; ')}`);
  return wanted;
}

/** By kinds, and within a kind what refers to others of it after them. */
function inOrder(wanted: readonly Wanted[], byId: ReadonlyMap<string, Wanted>): Wanted[] {
  const done = new Set<Wanted>();
  const visit = (one: Wanted, from: readonly Wanted[]): void => {
    if (done.has(one)) return;
    if (from.includes(one)) {
      const circle = [...from, one].map(({ kind, key }) => `${kind}/${key}`);
      throw new UsageError(`these refer to each other: ${circle.join(' -> ')}`);
    }
    for (const id of referencesIn(one.body)) {
      const other = byId.get(id);
      if (other?.kind === one.kind) visit(other, [...from, one]);
    }
    done.add(one);
  };
  for (const kind of KIND_NAMES)
    for (const one of wanted.filter((each) => each.kind === kind)) visit(one, []);
  return [...done];
}

/** Writes a file per kind; what stands there already is left alone unless `isForced`. @returns their names */
export function writeProgramme(
  folder: string,
  wanted: readonly Wanted[],
  isForced: boolean,
): string[] {
  const contents = new Map<string, Body>();
  for (const { kind, key, body } of wanted) {
    const name = topOf(kind);
    const content = contents.get(name) ?? {};
    contents.set(name, content);
    if (isSingle(kind)) Object.assign(content, body);
    else if (kind !== 'tiers') content[key] = body;
    else {
      const { sort_order: _place, ...tier } = body;
      content.ladder ??= {};
      (content.ladder as Body)[key] = tier;
    }
  }
  const files = [...contents.keys()].map((name) => path.join(folder, `${name}.yaml`));
  const taken = files.find((file) => existsSync(file));
  if (taken !== undefined && !isForced)
    throw new UsageError(`${taken} is there already; --force writes over it`);
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of contents)
    writeFileSync(path.join(folder, `${name}.yaml`), stringify({ [name]: content }));
  return files;
}
