// What the platform's shape costs before it does anything: bare express, a bare gRPC echo, and express in front of it.
//   node tools/bench/floors/stub.mjs grpc <port>   |   http <port> <grpc port>
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import express from 'express';

const proto = path.join(path.dirname(fileURLToPath(import.meta.url)), 'stub.proto');
const { stub } = /** @type {any} */ (
  grpc.loadPackageDefinition(loadSync(proto, { keepCase: true, longs: Number, defaults: true }))
);
const NO_CHANNELZ = { 'grpc.enable_channelz': 0 };

/** @param {number} port */
function serveGrpc(port) {
  const server = new grpc.Server(NO_CHANNELZ);
  server.addService(stub.Stub.service, {
    Earn: (/** @type {any} */ call, /** @type {any} */ respond) =>
      respond(null, {
        id: call.request.client_id,
        amount: call.request.amount,
        balance_after: call.request.amount,
      }),
  });
  server.bindAsync(`127.0.0.1:${port}`, grpc.ServerCredentials.createInsecure(), (error) => {
    if (error) throw error;
    process.stdout.write('ready\n');
  });
}

/** @param {string} target */
export function stubClient(target) {
  const client = new stub.Stub(target, grpc.credentials.createInsecure(), NO_CHANNELZ);
  /** @param {object} request */
  const earn = (request) =>
    new Promise((resolve, reject) => {
      client.Earn(request, (/** @type {unknown} */ error, /** @type {unknown} */ reply) =>
        error ? reject(error) : resolve(reply),
      );
    });
  return { earn, close: () => client.close() };
}

/**
 * @param {number} port
 * @param {number} grpcPort
 */
function serveHttp(port, grpcPort) {
  const app = express();
  app.disable('etag');
  app.disable('x-powered-by');
  const { earn } = stubClient(`127.0.0.1:${grpcPort}`);
  app.post(
    '/bare',
    express.json(),
    (request, response) => void response.status(201).json({ data: request.body }),
  );
  app.post('/stub', express.json(), async (request, response) => {
    response.status(201).json({ data: await earn(request.body) });
  });
  app.listen(port, '127.0.0.1', () => process.stdout.write('ready\n'));
}

if (process.argv[2] === 'grpc') serveGrpc(Number(process.argv[3]));
if (process.argv[2] === 'http') serveHttp(Number(process.argv[3]), Number(process.argv[4]));
