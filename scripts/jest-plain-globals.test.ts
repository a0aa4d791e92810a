import { constants, createContext, runInContext } from 'node:vm';
import PlainGlobals from './jest-plain-globals.cjs';

const environment = () => {
  const projectConfig = { testEnvironmentOptions: {}, globals: {}, fakeTimers: {} };
  const context = new PlainGlobals({ projectConfig } as never, {} as never).getVmContext()!;
  return { run: (code: string) => runInContext(code, context) };
};

test('what one test file leaves on its globals, or changes of them, no other sees', () => {
  const [one, other] = [environment(), environment()];
  one.run('globalThis.left = 1; left2 = 2; Array.prototype.first = () => 3; Math.PI2 = 4');
  expect(one.run('[left, left2, [].first(), Math.PI2]')).toHaveLength(4);
  expect(other.run('typeof left + typeof left2 + typeof [].first + typeof Math.PI2')).toBe(
    'undefined'.repeat(4),
  );
  expect(typeof Reflect.get(globalThis, 'left')).toBe('undefined');
});

test('what one file leaves for those after it they find', () => {
  environment().run("leftForFiles.set('dear', [1, 2])");
  expect(environment().run("leftForFiles.get('dear').length")).toBe(2);
});

test('what Node.js adds to the globals of the language is there', () => {
  const names = ['Buffer', 'fetch', 'setTimeout', 'structuredClone', 'TextEncoder', 'URL'];
  const kinds = environment().run(`[${names}].map((one) => typeof one)`);
  expect([...kinds]).toEqual(names.map(() => 'function'));
});

const onNewNode = 'DONT_CONTEXTIFY' in constants ? test : test.skip;

onNewNode(
  'globals are plain ones, which can be frozen: those behind a proxy, at forty times the price, cannot',
  () => {
    const { run } = environment();
    expect(run('Object.isFrozen(Object.freeze(globalThis))')).toBe(true);
    const behindProxy = createContext({});
    expect(() => runInContext('Object.freeze(globalThis)', behindProxy)).toThrow('Cannot freeze');
  },
);
