import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '@laurel/lifecycle';
import { makeAuthority, makeCertificate } from '../../../deploy/certificates.mjs';
import { createRpcClient, type Handlers, type RpcClient, startRpcServer } from './index';

let folder: string;
const closing: (() => unknown)[] = [];
const at = (...names: string[]): string => path.join(folder, ...names);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-tls-'));
  const ours = makeAuthority(at('authority'));
  for (const name of ['identity', 'gateway']) makeCertificate(at(name), name, ours);
  makeCertificate(at('stranger'), 'gateway', makeAuthority(at('strangers')));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(folder, { recursive: true });
});

const answer = { id: 'u1', email: 'a@example.com', date_created: '2026-01-01T00:00:00.000Z' };
const asked = jest.fn(async () => answer);
const handlers = new Proxy({} as Handlers<'identity'>, { get: () => asked });

async function serve(tlsFolder: string | undefined, callers?: string[]): Promise<number> {
  const server = await startRpcServer({
    service: 'identity',
    handlers,
    logger: createLogger('test', 'silent'),
    host: '127.0.0.1',
    port: 0,
    tlsFolder,
    tlsLookMs: 20,
    callers,
  });
  closing.push(() => server.stop());
  return server.port;
}

function client(port: number, tlsFolder?: string): RpcClient<'identity'> {
  const made = createRpcClient('identity', {
    target: `ipv4:127.0.0.1:${port}`,
    tlsFolder,
    tlsLookMs: 20,
    // Of what is refused it is the end, of what is answered a bound that no busy machine meets.
    callMsMax: 6_000,
  });
  closing.unshift(() => made.close());
  return made;
}

const ask = (who: RpcClient<'identity'>) => who.GetUser({ user_id: 'u1' });
const REFUSED = { code: 'SERVICE_UNAVAILABLE' };

test('services with certificates of one authority speak to each other', async () => {
  const port = await serve(at('identity'));
  await expect(ask(client(port, at('gateway')))).resolves.toMatchObject({ id: 'u1' });
});

/** Each waits for its whole time, so that all of them wait at once. */
const expectRefused = (...callers: RpcClient<'identity'>[]) =>
  Promise.all(callers.map((who) => expect(ask(who)).rejects.toMatchObject(REFUSED)));

test('nothing is asked, and nothing answered, where either side shows no certificate of the authority', async () => {
  const ours = await serve(at('identity'));
  const plain = await serve(undefined);
  const strange = await serve(at('stranger'));
  asked.mockClear();
  await expectRefused(
    client(ours),
    client(ours, at('stranger')),
    client(plain, at('gateway')),
    client(strange, at('gateway')),
  );
  expect(asked).not.toHaveBeenCalled();
});

test('who is called may say by whom: a certificate of another service is no pass', async () => {
  makeCertificate(at('campaigns'), 'campaigns', makeAuthority(at('authority')));
  const port = await serve(at('identity'), ['gateway', 'passes']);
  await expect(ask(client(port, at('gateway')))).resolves.toMatchObject({ id: 'u1' });
  asked.mockClear();
  const another = expect(ask(client(port, at('campaigns')))).rejects.toThrow('this caller may not');
  await Promise.all([another, expectRefused(client(port))]);
  expect(asked).not.toHaveBeenCalled();
});

/** Tries until it is so: when files are looked at again is up to the other side. */
async function eventually(check: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await check();
    } catch (error) {
      if (tries === 10) throw error;
    }
  }
}

test('renewed certificates are taken without a restart, and those of an authority that was replaced end', async () => {
  const port = await serve(at('identity'));
  await expect(ask(client(port, at('gateway')))).resolves.toMatchObject({ id: 'u1' });
  makeCertificate(at('late'), 'gateway', makeAuthority(at('authority')));
  const next = makeAuthority(at('next authority'));
  for (const name of ['identity', 'gateway']) makeCertificate(at(name), name, next);
  await eventually(async () => {
    await expect(ask(client(port, at('gateway')))).resolves.toMatchObject({ id: 'u1' });
  });
  await eventually(async () => {
    await expect(ask(client(port, at('late')))).rejects.toMatchObject(REFUSED);
  });
});

test('whose certificate has ended is not spoken to, on either side, until there is a new one', async () => {
  const ours = makeAuthority(at('authority'));
  for (const name of ['late server', 'late caller'])
    makeCertificate(at(name), name, { ...ours, days: '0' });
  const [late, good] = [await serve(at('late server')), await serve(at('identity'))];
  const callers = [client(late, at('gateway')), client(good, at('late caller'))];
  await eventually(async () => {
    await expectRefused(...callers);
  });
  for (const name of ['late server', 'late caller']) makeCertificate(at(name), name, ours);
  await eventually(async () => {
    for (const caller of callers) await expect(ask(caller)).resolves.toMatchObject({ id: 'u1' });
  });
});

test('a folder without a usable pair stops the start and says so', async () => {
  await expect(serve(at('nowhere'))).rejects.toThrow('ca.crt');
  copyFileSync(at('gateway', 'tls.key'), at('identity', 'tls.key'));
  await expect(serve(at('identity'))).rejects.toThrow('does not belong');
});
