// Writes the API documents that the gateway serves to its dist: to make them takes 1.2 s of the processor, which each
// replica would spend at its start.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const load = createRequire(import.meta.url);
const { renderAsyncApi } = load('@laurel/events');
const { openApiDocument } = load('../dist/openapi/document.js');
const { routes } = load('../dist/index.js');

/** @param {string} name @param {object} document */
const write = (name, document) =>
  writeFileSync(
    fileURLToPath(new URL(`../dist/${name}`, import.meta.url)),
    JSON.stringify(document),
  );

write('openapi.json', openApiDocument(routes));
write('asyncapi.json', renderAsyncApi());
