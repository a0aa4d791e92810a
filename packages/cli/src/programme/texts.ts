import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Document, isScalar, LineCounter, parseDocument, type Scalar, visit } from 'yaml';
import { UsageError } from '../failures';
import { textOf } from '../text';
import type { Body } from './kinds';
import { isBody } from './references';

const SECRET = /\$\{env:(\w+)\}/g;

export type Env = Readonly<Record<string, string | undefined>>;

/** Files by name, as they are written: what comes from the environment is not yet in them. Pictures that they name are in base64. */
export type Texts = ReadonlyMap<string, string>;
/** What is in the YAML files of a programme, by the name of each. */
export type Contents = ReadonlyMap<string, Body>;

/** The YAML files of a folder, as they are written, and the pictures that they name. */
export function readTexts(folder: string): Texts {
  if (!existsSync(folder)) throw new UsageError(`there is no folder ${folder}`);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isYaml).sort();
  if (files.length === 0) throw new UsageError(`${folder} has no file *.yaml`);
  const texts = files.map((file) => {
    const bytes = readFileSync(path.join(folder, file));
    return [file, textOf(bytes, file, { keepsMark: true })] as const;
  });
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

const isYaml = (name: string): boolean => /\.ya?ml$/i.test(name);

/** What the YAML among the files of a programme says. Long ones take seconds: once is enough. */
export function contentsOf(texts: Texts, env: Env): Contents {
  const yaml = [...texts].filter(([file]) => isYaml(file));
  return new Map(yaml.map(([file, text]) => [file, readYaml(file, text, env)]));
}

function readYaml(file: string, written: string, env: Env): Body {
  // What stands in their place while YAML is read has no meaning in it, as a value of the environment may have.
  const text = written.replace(SECRET, `${OPENING}$1${CLOSING}`);
  const lineCounter = new LineCounter();
  // `<<: *card` takes over what another one says. The library looks for a key among all before it, each time.
  const document = parseDocument(text, { merge: true, uniqueKeys: false, lineCounter });
  const [error] = document.errors;
  if (error?.code === 'MULTIPLE_DOCS')
    throw new UsageError(
      `${file} holds several documents, parted by ---; make it one, or files of their own`,
    );
  if (error) throw new UsageError(`${file}: ${error.message.replace(PLACE, '${env:$1}')}`);
  requireUniqueKeys(document, (offset, key) => {
    const { line } = lineCounter.linePos(offset);
    return new UsageError(`${file}: ${key} stands twice in one map, again at line ${line}`);
  });
  const valued = (name: string): string => {
    const value = env[name];
    if (value === undefined)
      throw new UsageError(`${file} needs ${name}, which is not set in the environment`);
    return value;
  };
  visit(document, { Scalar: (_, scalar) => fillIn(scalar, valued) });
  const content = plainOf(file, document) ?? {};
  if (!isBody(content)) throw new UsageError(`${file} must be a map of kinds`);
  return content;
}

/** The library refuses what grows without end where one thing is said again within another. */
function plainOf(file: string, document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
}

/** Characters that no alphabet has. */
const OPENING = '\uE000';
const CLOSING = '\uE001';
const PLACE = new RegExp(`${OPENING}(\\w+)${CLOSING}`, 'g');

/** Says what the environment says. What stands alone and without quotes may be a number or yes and no. */
function fillIn(scalar: Scalar, valued: (name: string) => string): void {
  const { value, type } = scalar;
  if (typeof value !== 'string' || !value.includes(OPENING)) return;
  const filled = value.replace(PLACE, (_, name: string) => valued(name));
  const isAlone = type === 'PLAIN' && value.replace(PLACE, '') === '';
  scalar.value = isAlone && isNumberOrFlag(filled) ? JSON.parse(filled) : filled;
}

const isNumberOrFlag = (text: string): boolean =>
  text === 'true' ||
  text === 'false' ||
  (text !== '' && String(Number(text)) === text && Number.isFinite(Number(text)));

/** Of two things under one key, one would be heeded. */
function requireUniqueKeys(
  document: Document.Parsed,
  complain: (offset: number, key: string) => UsageError,
): void {
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) throw complain(key.range?.[0] ?? 0, String(key.value));
        seen.add(key.value);
      }
    },
  });
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
