import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OutsideCall {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape they are about to check
  body: any;
}

/** What the system answers a call with; `undefined` hangs up, `silence` answers never. */
export type Respond = (
  call: OutsideCall,
) => { status: number; json?: unknown } | undefined | 'silence';

export type OutsideSystem = Awaited<ReturnType<typeof openOutsideSystem>>;

/** Some other company's REST service, as integrations meet it: it remembers what it was called with. */
export async function openOutsideSystem(respond: Respond = () => ({ status: 200, json: {} })) {
  const calls: OutsideCall[] = [];
  const system = { calls, respond, url: '', close: () => undefined as unknown };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://outside');
      const call = {
        method: request.method ?? '',
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
      calls.push(call);
      const answer = system.respond(call);
      if (answer === 'silence') return;
      if (!answer) return request.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.json === undefined ? '' : JSON.stringify(answer.json));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  system.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  system.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return system;
}
