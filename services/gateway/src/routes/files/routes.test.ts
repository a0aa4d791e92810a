import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { currentContext } from '@laurel/lifecycle';
import { testApp } from '../../testing/test-app';
import { fileRoutes } from './routes';

const WORKSPACE = '018f3c5e-7b1a-7c3d-9e2f-0123456789a0';

let storedFor: string | null;
const rpc = {
  identity: { ResolveMembership: async () => ({}) },
  passes: {
    StorePicture: async () => {
      storedFor = currentContext().workspaceId;
      return { file: {}, warnings: [] };
    },
  },
};

let server: Server;
beforeAll(async () => {
  server = testApp(fileRoutes, { rpc }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test.each(['before', 'behind'])(
  'what is logged of a picture names its workspace, which its form names %s the file',
  async (where) => {
    storedFor = null;
    const picture = ['file', new Blob(['x']), 'a.png'] as const;
    const form = new FormData();
    if (where === 'before') form.append('workspace_id', WORKSPACE);
    form.append(...picture);
    if (where === 'behind') form.append('workspace_id', WORKSPACE);
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/service-api/files`;
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(201);
    expect(storedFor).toBe(WORKSPACE);
  },
);
