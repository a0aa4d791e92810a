import { environmentOf, healthOf, hosted } from './hosting';

const present = ['clients', 'gateway', 'ledger'];

test('a process hosts every service that is there, or those that SERVICES names', () => {
  expect(hosted(present, {})).toEqual(present);
  expect(hosted(present, { SERVICES: 'ledger, clients' })).toEqual(['clients', 'ledger']);
  expect(() => hosted(present, { SERVICES: 'ledger,till' })).toThrow('SERVICES names till');
});

test('one service of a process opens its health port: one that is begun before the gateway', () => {
  const ports = (names: string[]) =>
    names.map((name) => environmentOf(name, names, { HEALTH_PORT: '9090' }).HEALTH_PORT);
  expect(healthOf(present)).toBe('clients');
  expect(ports(present)).toEqual(['9090', '0', '0']);
  expect(ports(['gateway', 'identity'])).toEqual(['0', '9090']);
  expect(ports(['gateway'])).toEqual(['9090']);
});

test('what is named after a service counts for it alone, and where it is reached for all', () => {
  const env = {
    MONGODB_URI: 'mongodb://all',
    LEDGER_MONGODB_URI: 'mongodb://ledger',
    LEDGER_GRPC_PORT: '5003',
    LEDGER_GRPC_TARGET: 'dns:///money:5003',
    GRPC_PORT: '5000',
  };
  expect(environmentOf('ledger', present, env)).toMatchObject({
    MONGODB_URI: 'mongodb://ledger',
    GRPC_PORT: '5003',
    LEDGER_GRPC_TARGET: 'dns:///money:5003',
  });
  const clients = environmentOf('clients', present, env);
  expect(clients).toMatchObject({ MONGODB_URI: 'mongodb://all', GRPC_PORT: undefined });
});

test('what Kubernetes says of a Service named as a service is none of its settings', () => {
  const env = { GATEWAY_PORT: 'tcp://10.96.0.7:80', GATEWAY_SERVICE_PORT: '80', PORT: '8080' };
  expect(environmentOf('gateway', present, env)).toMatchObject({ PORT: '8080' });
  expect(environmentOf('gateway', present, { ...env, GATEWAY_PORT: '9000' }).PORT).toBe('9000');
});
