import { get, member, message, open, post, type Route } from '../routing';
import { withScopes } from './scopes';

const shown = {
  tag: 'Rewards and redemptions',
  summary: 'x',
  description: 'x',
  handle: async () => message('x'),
};
const list = get(':ws/rewards', { ...shown, stack: member() });
const create = post(':ws/rewards', { ...shown, stack: member() });
const decided = new Map([['rewards.create', 'configure']] as const);
const scopesOf = (routes: Route[]) => routes.map(({ scope }) => scope);

test('what reads wants read, what changes what the table says, and a caller who is no member nothing', () => {
  const looked = post(':ws/rewards/redemptions/top', { ...shown, stack: member(), readOnly: true });
  const login = post('!/auth/login', { ...shown, stack: open() });
  const scoped = withScopes([list, create, looked, login], decided);
  expect(scopesOf(scoped)).toEqual(['read', 'configure', 'read', undefined]);
});

test('a gateway with an undecided change does not start', () => {
  expect(() => withScopes([list, create], new Map())).toThrow(
    'say in scopes.ts, under rewards, which scope rewards.create wants',
  );
});

test('a decision about a route that is not there does not start either', () => {
  expect(() => withScopes([list], decided)).toThrow('rewards.create, which no route is');
});

test('a decision about a read goes before the rule', () => {
  expect(scopesOf(withScopes([list], new Map([['rewards.list', 'full']] as const)))).toEqual([
    'full',
  ]);
});
