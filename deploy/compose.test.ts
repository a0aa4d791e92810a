import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './local/lib/paths.mjs';
import { serviceNames } from './local/lib/workspace.mjs';

const compose = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');

test.each(serviceNames())('docker compose runs %s', (name) => {
  expect(compose).toMatch(
    new RegExp(`^ {2}${name}:\\n(?: {4}.*\\n)*? {4}build: .*SERVICE: ${name} }`, 'm'),
  );
});

test('the gateway waits for every other service', () => {
  const gateway = /^ {2}gateway:\n((?: {4}.*\n)+)/m.exec(compose)?.[1] ?? '';
  const others = serviceNames().filter((name) => name !== 'gateway');
  const waitedFor = [...gateway.matchAll(/^ {6}(\w+): \{ condition: service_healthy \}/gm)].map(
    ([, name]) => name,
  );
  expect(waitedFor).toEqual(expect.arrayContaining(others));
});
