import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { FORBIDDEN, guardedLookup, type Resolve } from './agent';

/** A name server under the attacker's control: another answer each time. */
function resolver(...answers: string[][]): Resolve & { asked: number } {
  const resolve = ((_hostname, _options, callback) => {
    const answer = answers[Math.min(resolve.asked, answers.length - 1)]!;
    resolve.asked += 1;
    callback(
      null,
      answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as Resolve & { asked: number };
  resolve.asked = 0;
  return resolve;
}

function look(resolve: Resolve, all: boolean): Promise<unknown> {
  return new Promise((done, fail) => {
    guardedLookup({ allowInsecure: false }, resolve)(
      'hooks.example.com',
      { all } as never,
      (error, address) => (error ? fail(error) : done(address)),
    );
  });
}

it('hands on the very addresses that it checked, having asked once', async () => {
  const resolve = resolver(['93.184.216.34'], ['127.0.0.1']);
  expect(await look(resolve, true)).toEqual([{ address: '93.184.216.34', family: 4 }]);
  expect(resolve.asked).toBe(1);
  await expect(look(resolve, false)).rejects.toThrow('private or local');
});

it.each([
  [['127.0.0.1']],
  [['93.184.216.34', '10.0.0.1']],
  [['::ffff:169.254.169.254']],
  [['2606:2800:220:1:248:1893:25c8:1946', 'fd00:ec2::254']],
  [['64:ff9b::a9fe:a9fe']],
  [[]],
])('dials nothing when a name resolves to %j', async (answer) => {
  await expect(look(resolver(answer), true)).rejects.toThrow('private or local');
  await expect(look(resolver(answer), false)).rejects.toThrow('private or local');
});

it('never reaches a listener on loopback through a name that points there', async () => {
  let connections = 0;
  const canary = createServer((_, response) => void response.end());
  canary.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => {
    canary.listen(0, '127.0.0.1', resolve);
  });
  const { port } = canary.address() as AddressInfo;
  const lookup = guardedLookup({ allowInsecure: false }, resolver(['127.0.0.1']));
  const agent = new Agent({ connect: { lookup } });
  const dialled = request(`https://rebind.example.com:${port}/`, { dispatcher: agent });
  await expect(dialled).rejects.toThrow(FORBIDDEN);
  expect(connections).toBe(0);
  await agent.close();
  canary.close();
});
