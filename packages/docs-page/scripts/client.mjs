// The reference of @laurel/client: a page for what is the same in every call, made of its declarations, and one for each
// group of operations, made of the API document as the client itself is.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { flagsOf, operationsOf, signatureOf } from '../../client/scripts/generate.mjs';
import { clientName, referenceName } from './addresses.mjs';
import { reasonsOf, reasonsText } from './reasons.mjs';
import { exampleIn } from './schema.mjs';

/** @typedef {import('../../client/scripts/generate.mjs').Operation} Operation */

/** What every program meets, by what it is about: heading, what is said of it, the names of its declarations. */
const CHAPTERS = [
  [
    'Setting it up',
    'One client for a platform; it may be shared by everything in a program.',
    ['LaurelOptions', 'Attempt'],
  ],
  [
    'Calls',
    'The ids of a path come first, then one object for body or query, then options. What stands under `data` is given back; `withResponse()` gives the answer besides.',
    ['Call', 'CallOptions'],
  ],
  [
    'Lists',
    '`await` gives the first page, `for await` every row of every page.',
    ['Page', 'PageCall'],
  ],
  [
    'Refusals',
    'A platform that says no is a `LaurelError`, one that says nothing a `ConnectionError`. [Errors and limits](errors-and-limits.md) says what to try again, [errors](errors.md) what each reason means.',
    ['LaurelError', 'isLaurelError', 'Problem', 'ConnectionError'],
  ],
  [
    'Webhooks',
    'See [webhooks](webhooks.md) for a receiver; what they bring stands in [events](events.md).',
    ['verifyWebhook', 'VerifyOptions', 'WebhookError'],
  ],
  [
    'Streams and files',
    '`laurel.events.stream` tells what happens and goes on by itself where the line breaks; exports are read row by row.',
    ['StreamedEvent', 'rowsOf'],
  ],
];

const START = `import { Laurel } from '@laurel/client';

const laurel = new Laurel({
  baseUrl: 'https://loyalty.example.com',
  token: process.env.LAUREL_TOKEN!,
  workspace: process.env.LAUREL_WORKSPACE!,
});
const entry = await laurel.points.earn({ client_id, amount: 12.5, external_id: 'order-7' });`;

/**
 * @param {any} document the API document
 * @param {string} built the folder of the built client
 * @param {(name: string) => string | undefined} addressOf where the API reference describes a type
 * @returns {import('./site.mjs').Page[]} what is the same everywhere first, then the groups, which are no places of their own
 */
export function clientPages(document, built, addressOf) {
  const operations = operationsOf(document);
  const groups = [...new Set(operations.map(({ group }) => group))].map((group) => {
    const own = operations.filter((operation) => operation.group === group);
    const tag = document.tags.find((/** @type {any} */ { name }) => name === own[0]?.said.tags[0]);
    return { group, own, tag };
  });
  const overview = {
    name: 'client',
    title: 'Client for programs',
    source: [
      '# Client for programs',
      '`@laurel/client` is every operation of the [API](api/points.md) as a typed method, without dependencies, for Node 20 and later, Deno, Bun, workers and browsers.',
      `\`\`\`ts\n${START}\n\`\`\``,
      ...chaptersOf(built),
      '## Groups',
      groups
        .map(
          ({ group, own, tag }) =>
            `- [laurel.${group}](/docs/${clientName(group)}): ${tag.description} ${own.length} methods.`,
        )
        .join('\n'),
      '',
    ].join('\n\n'),
  };
  return [overview, ...groups.map((one) => groupPage(one, addressOf))];
}

/** @param {string} built */
function chaptersOf(built) {
  const texts = ['http', 'call', 'client', 'pages', 'errors', 'webhooks', 'streams'].map((name) =>
    readFileSync(path.join(built, `${name}.d.ts`), 'utf8'),
  );
  const declarations = new Map(texts.flatMap(declarationsIn));
  return CHAPTERS.flatMap(([heading, story, names]) => [
    `## ${heading}`,
    String(story),
    ...[names].flat().map((name) => {
      const declaration = declarations.get(name);
      if (!declaration) throw new Error(`the client declares no ${name}`);
      return `\`\`\`ts\n${declaration}\n\`\`\``;
    }),
  ]);
}

/** What of a class is none of its users' business. */
const INSIDE = /^ {4}(private |\[Symbol|then<|constructor\(load).*\n/gm;

/**
 * The declarations of a file that tsc wrote, by name, with what is said of them.
 *
 * @param {string} text
 * @returns {[name: string, declaration: string][]}
 */
function declarationsIn(text) {
  const whole =
    /(?:^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export (?:declare )?(?:interface|class|type|function) (\w+)[\s\S]*?(?:^}|;)$/gm;
  return [...text.matchAll(whole)].map(([declaration, name = '']) => [
    name,
    declaration.replaceAll(INSIDE, '').replaceAll('    ', '  '),
  ]);
}

/**
 * @param {{ group: string, own: Operation[], tag: { description: string } }} described
 * @param {(name: string) => string | undefined} addressOf
 */
function groupPage({ group, own, tag }, addressOf) {
  return {
    name: clientName(group),
    title: `laurel.${group}`,
    isInner: true,
    source: [
      `# laurel.${group}`,
      tag.description,
      own.map(({ verb, said }) => `- [${verb}](#${verb}): ${said.summary}`).join('\n'),
      ...own.map((operation) => methodText(operation, addressOf)),
      '',
    ].join('\n\n'),
  };
}

/** @param {Operation} operation @param {(name: string) => string | undefined} addressOf */
function methodText(operation, addressOf) {
  const { group, verb, said } = operation;
  const signature = signatureOf(operation).replaceAll('types.', '');
  const id = `${group}.${verb}`;
  const reasons = reasonsOf(said);
  const types = [...new Set(signature.match(/\b[A-Z]\w+/g))].flatMap((name) => {
    const address = addressOf(name);
    return address ? [`[${name}](${address})`] : [];
  });
  return [
    `## ${verb} {#${verb}}`,
    `${said.summary}. ${said.description}`,
    `\`\`\`ts\nlaurel.${group}.${signature}\n\`\`\``,
    [
      `[Fields and answer](/docs/${referenceName(said.tags[0])}#${id})`,
      ...(types.length > 0 ? [`types ${types.join(', ')}`] : []),
      repeatsOf(operation),
    ].join(' · '),
    reasons.length > 0 ? `**Reasons** ${reasonsText(reasons)}` : '',
    `\`\`\`ts\n${exampleOf(operation)}\n\`\`\``,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** What the client does where no answer comes. @param {Operation} operation */
function repeatsOf(operation) {
  if (flagsOf(operation).includes('k')) return 'repeated under one key';
  return operation.method === 'POST' ? 'never repeated by itself' : 'repeated';
}

/** A call as a program makes it, with the example of the API document. @param {Operation} operation */
function exampleOf(operation) {
  const { group, verb, path: place, body, query, isList, isStream, isFile, answer } = operation;
  const ids = [...place.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const json = body?.['application/json'];
  const needed = query.filter(({ required }) => required);
  const call = `laurel.${group}.${verb}(${[
    ...ids.filter((name) => name !== 'workspaceId'),
    ...(json ? [literal(exampleIn(json) ?? {})] : body ? ['form'] : []),
    ...(needed.length > 0
      ? [`{ ${needed.map(({ name }) => `${name}: ${queryValue(name)}`).join(', ')} }`]
      : []),
  ].join(', ')})`;
  if (isList) return `for await (const row of ${call}) console.log(row);`;
  if (isStream) return `for await (const event of ${call}) console.log(event.type);`;
  if (isFile) return `const file = await ${call};\nawait file.blob();`;
  return answer ? `const answer = await ${call};` : `await ${call};`;
}

/** What a needed parameter of a query is in an example. @param {string} name */
const queryValue = (name) =>
  /_id$/.test(name)
    ? "'0198f3a0-0000-7000-8000-000000000001'"
    : name === 'q'
      ? "'anna'"
      : "'beans'";

/** JSON as a program writes it. @param {unknown} value @param {string} [indent] @returns {string} */
function literal(value, indent = '') {
  if (typeof value === 'string')
    return `'${value.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(
        ([name, one]) =>
          `${/^[A-Za-z_]\w*$/.test(name) ? name : literal(name)}: ${literal(one, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const short = Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (short.length + indent.length <= LINE_MAX && !short.includes('\n')) return short;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}
const LINE_MAX = 72;
