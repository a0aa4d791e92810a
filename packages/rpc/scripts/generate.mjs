// Writes TypeScript types for every protos/*.proto into src/generated, in the shapes that code sees
// (see src/shape.ts): run by the build, never committed.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const protoFolder = path.resolve(here, '../../../protos');
const outFolder = path.resolve(here, '../src/generated');

const SCALARS = { string: 'string', bool: 'boolean', bytes: 'Buffer' };
const WRAPPERS = {
  'laurel.common.Json': 'Json',
  'laurel.common.NullableString': 'string | null',
  'laurel.common.NullableNumber': 'number | null',
  'laurel.common.NullableBool': 'boolean | null',
  'laurel.common.Strings': 'string[]',
};

function valueType(field, packageName) {
  const resolved = field.resolve().resolvedType;
  if (!resolved) return SCALARS[field.type] ?? 'number';
  if (resolved.values && !resolved.fieldsArray) return 'string';
  const fullName = resolved.fullName.slice(1);
  if (WRAPPERS[fullName]) return WRAPPERS[fullName];
  const [, owner, name] = fullName.split('.');
  return `laurel.${owner}` === packageName ? name : `${owner}.${name}`;
}

function fieldLine(field, packageName) {
  const type = valueType(field, packageName);
  const listed = field.repeated
    ? `${type.includes('|') ? `(${type})` : type}[]`
    : field.map
      ? `{ [key: string]: ${type} }`
      : type;
  const isMessage = field.resolvedType?.fieldsArray && !field.repeated && !field.map;
  const optional = field.options?.proto3_optional || isMessage ? '?' : '';
  const comment = field.comment ? `  /** ${field.comment.replace(/\n/g, ' ')} */\n` : '';
  return `${comment}  ${field.name}${optional}: ${listed};`;
}

function renderMessage(type, packageName) {
  if (WRAPPERS[type.fullName.slice(1)]) return '';
  if (type.fieldsArray.length === 0) return `export type ${type.name} = Record<string, never>;\n`;
  const lines = type.fieldsArray.map((field) => fieldLine(field, packageName));
  const comment = type.comment ? `/** ${type.comment.replace(/\n/g, ' ')} */\n` : '';
  return `${comment}export interface ${type.name} {\n${lines.join('\n')}\n}\n`;
}

function renderService(service, packageName) {
  const name = (type) => {
    const fullName = type.fullName.slice(1);
    if (WRAPPERS[fullName]) return WRAPPERS[fullName];
    const [, owner, short] = fullName.split('.');
    return `laurel.${owner}` === packageName ? short : `${owner}.${short}`;
  };
  const lines = service.methodsArray.map((method) => {
    method.resolve();
    const stream = method.responseStream ? '; stream: true' : '';
    return `  ${method.name}: { request: ${name(method.resolvedRequestType)}; reply: ${name(method.resolvedResponseType)}${stream} };`;
  });
  return `export interface Rpcs {\n${lines.join('\n')}\n}\n`;
}

rmSync(outFolder, { recursive: true, force: true });
mkdirSync(outFolder, { recursive: true });
const services = [];
const names = readdirSync(protoFolder)
  .filter((file) => file.endsWith('.proto'))
  .map((file) => file.replace('.proto', ''));
for (const name of names) {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => path.join(protoFolder, path.basename(target));
  root.loadSync(`${name}.proto`, {
    keepCase: true,
    alternateCommentMode: true,
    preferTrailingComment: true,
  });
  root.resolveAll();
  const packageName = `laurel.${name}`;
  const members = root.lookup(packageName).nestedArray;
  const messages = members
    .filter((member) => member instanceof protobuf.Type)
    .map((type) => renderMessage(type, packageName));
  const service = members.find((member) => member instanceof protobuf.Service);
  const text = [...messages, service ? renderService(service, packageName) : '']
    .filter(Boolean)
    .join('\n');
  const imports = names
    .filter((other) => other !== name && new RegExp(`\\b${other}\\.[A-Z]`).test(text))
    .map((other) => `import type * as ${other} from './${other}';`);
  if (/\bJson\b/.test(text)) imports.unshift("import type { Json } from '@laurel/errors';");
  writeFileSync(path.join(outFolder, `${name}.ts`), `${imports.join('\n')}\n\n${text}`);
  if (service) services.push(name);
}
const index = [
  ...names.map((name) => `export type * as ${name} from './${name}';`),
  ...services.map((name) => `import type { Rpcs as ${name}Rpcs } from './${name}';`),
  `export interface Services {\n${services.map((name) => `  ${name}: ${name}Rpcs;`).join('\n')}\n}`,
];
writeFileSync(path.join(outFolder, 'index.ts'), `${index.join('\n')}\n`);
