import { hosts, listening, listeningTogether, placeServices, targets } from './placement.mjs';

const placed = [
  { service: 'ledger', name: 'ledger', replica: 1, port: 5001, healthPort: 9001 },
  { service: 'ledger', name: 'ledger-2', replica: 2, port: 5002, healthPort: 9002 },
  { service: 'gateway', name: 'gateway', replica: 1, port: 8080, healthPort: 9003 },
];

test('every replica of a service is in its target, and the gateway has none', () => {
  expect(targets(placed)).toEqual({ LEDGER_GRPC_TARGET: 'ipv4:127.0.0.1:5001,127.0.0.1:5002' });
});

test('a process of its own gets its port by the name that its service reads', () => {
  expect(placed.map(listening)).toEqual([
    { GRPC_PORT: '5001', HEALTH_PORT: '9001' },
    { GRPC_PORT: '5002', HEALTH_PORT: '9002' },
    { PORT: '8080', HEALTH_PORT: '9003' },
  ]);
});

test('the process that hosts all gets every port', () => {
  const [ledger, , gateway] = placed;
  expect(listeningTogether([ledger!, gateway!])).toEqual({
    LEDGER_GRPC_PORT: '5001',
    PORT: '8080',
    HEALTH_PORT: '9003',
  });
});

test('replicas are placed on ports of their own, gateways last', async () => {
  const all = await placeServices({
    services: ['gateway', 'ledger'],
    replicas: 2,
    gatewayPort: 18_080,
  });
  expect(all.map(({ name }) => name)).toEqual(['ledger', 'ledger-2', 'gateway', 'gateway-2']);
  expect(new Set(all.flatMap(({ port, healthPort }) => [port, healthPort])).size).toBe(8);
});

test('a process hosts a replica of every service, and as many processes as there are replicas', () => {
  const gateway = { ...placed[2]!, name: 'gateway-2', replica: 2 };
  const names = hosts([...placed, gateway]).map((host) => host.map(({ name }) => name));
  expect(names).toEqual([
    ['ledger', 'gateway'],
    ['ledger-2', 'gateway-2'],
  ]);
});
