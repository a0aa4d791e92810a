import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument, stringify } from 'yaml';
import { UsageError } from '../failures';
import { type Body, isSingle, KIND_NAMES, KINDS, type KindName, topOf } from './kinds';
import { isBody, referencesIn } from './references';

/** One thing that the files of a programme want. */
export interface Wanted {
  kind: KindName;
  key: string;
  /** As the file says it: references are keys. */
  body: Body;
  /** Where it stands, for whoever must mend it. */
  file: string;
}

/** Codes of wallet types and names of fields. */
const CODE = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** As the platform keeps it. */
export const KEY = /^[a-z0-9][a-z0-9-]{0,62}$/;
const SECRET = /\$\{env:(\w+)\}/g;
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
/** What is no kind. */
const WORDS = [SCENARIOS, PROGRAMME, REMOVAL, MOVED];

export type Env = Readonly<Record<string, string | undefined>>;

/** Files by name, as they are written: what comes from the environment is not yet in them. Pictures that they name are in base64. */
export type Texts = ReadonlyMap<string, string>;
/** A folder, or the files that were read of one. */
export type Source = string | Texts;

/** The YAML files of a folder, as they are written, and the pictures that they name. */
export function readTexts(folder: string): Texts {
  if (!existsSync(folder)) throw new UsageError(`there is no folder ${folder}`);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isYaml).sort();
  if (files.length === 0) throw new UsageError(`${folder} has no file *.yaml`);
  const texts = files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')] as const);
  const pictures = texts
    .flatMap(([, text]) => picturesIn(text))
    .filter((name) => existsSync(path.join(folder, name)))
    .map((name) => [name, readFileSync(path.join(folder, name), 'base64')] as const);
  return new Map([...texts, ...pictures]);
}

const PICTURES = /\.\/([\w./-]+\.(?:png|jpe?g|webp|gif))/gi;
/** The pictures that the text of a file names, relative to the folder of the programme. */
const picturesIn = (text: string): string[] =>
  [...text.matchAll(PICTURES)].map(([, name]) => path.posix.normalize(name!));

const isYaml = (name: string): boolean => /\.ya?ml$/.test(name);

/** The YAML files of a programme by name, and what is in them. */
export function readFiles(source: Source, env: Env): Map<string, Body> {
  const texts = typeof source === 'string' ? readTexts(source) : source;
  const yaml = [...texts].filter(([file]) => isYaml(file));
  return new Map(yaml.map(([file, text]) => [file, readYaml(file, text, env)]));
}

/** Shorter ones are no secrets, and would be found in any text. */
const HIDDEN_LENGTH_MIN = 6;

/** Says `${env:NAME}` where a value out of the environment stands: more people read a plan than know the secrets in it. */
export function hiding(texts: Texts, env: Env): (text: string) => string {
  const named = [...texts].flatMap(([file, text]) =>
    isYaml(file) ? [...text.matchAll(SECRET)].map(([, name]) => name!) : [],
  );
  const hidden = [...new Set(named)]
    .flatMap((name) => {
      const value = env[name] ?? '';
      const written = [value, JSON.stringify(value).slice(1, -1)];
      return written.map((one) => ({ one, said: `\${env:${name}}` }));
    })
    .filter(({ one }) => one.length >= HIDDEN_LENGTH_MIN)
    .sort((a, b) => b.one.length - a.one.length);
  return (text) => hidden.reduce((left, { one, said }) => left.replaceAll(one, () => said), text);
}

/** Everything that the YAML files of a programme want, what refers after what it refers to. */
export function readProgramme(source: Source, env: Env): Wanted[] {
  const files = readFiles(source, env);
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
  /** Null where they do not say, so that nobody notes what they own. */
  name: string | null;
  onRemoval: OnRemoval;
}

/** What files call their programme, and what becomes of what they no longer name. */
export function readHead(source: Source, env: Env): Head {
  const files = readFiles(source, env);
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
function saidOnce(
  files: ReadonlyMap<string, Body>,
  word: string,
): { value: unknown; file: string } | null {
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

function readYaml(file: string, written: string, env: Env): Body {
  const text = written.replace(SECRET, (_, name: string) => {
    const value = env[name];
    if (value === undefined) throw new UsageError(`${file} wants ${name}, which is not set`);
    return value;
  });
  // `<<: *card` takes over what another one says.
  const document = parseDocument(text, { merge: true });
  const [error] = document.errors;
  if (error) throw new UsageError(`${file}: ${error.message}`);
  const content = document.toJS() ?? {};
  if (!isBody(content)) throw new UsageError(`${file} must be a map of kinds`);
  return content;
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

/** A misspelt field would be one that nobody heeds. */
function checked(wanted: Wanted): Wanted {
  const { kind, key, body, file } = wanted;
  const { fields, identity, isCode } = KINDS[kind];
  const unknown = Object.keys(body).find((name) => !fields.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`${file}: ${kind}/${key} has no ${unknown}; it has ${fields.join(', ')}`);
  if (identity !== null && !isCode && typeof body[identity] !== 'string')
    throw new UsageError(`${file}: ${kind}/${key} needs a ${identity}`);
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
      content.ladder = { ...(content.ladder as Body), [key]: tier };
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
