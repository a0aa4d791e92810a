import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { createBodyReader } from './body';

const BODY = '{"used":false}';
const HEAD = `POST / HTTP/1.1\r\nHost: till\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;

test('what was asked by somebody who hung up meanwhile is not taken for what an empty body asks', async () => {
  const app = express();
  const read = createBodyReader();
  const outcome = new Promise<unknown>((resolve) => {
    app.post('/', async (request, response) => {
      // As long as it takes to look at a token.
      if (!request.socket.destroyed)
        await new Promise((closed) => request.socket.once('close', closed));
      resolve(
        await read(request, response).then(
          () => request.body,
          (error: Error) => error.message,
        ),
      );
    });
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const till = connect((server.address() as AddressInfo).port, '127.0.0.1');
    till.write(HEAD + BODY, () => till.resetAndDestroy());
    expect(await outcome).toBe('the body did not arrive');
  } finally {
    server.close();
  }
});
