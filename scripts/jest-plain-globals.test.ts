import { constants, runInContext } from 'node:vm';
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

test('what Node.js adds to the globals of the language is there', () => {
  const names = ['Buffer', 'fetch', 'setTimeout', 'structuredClone', 'TextEncoder', 'URL'];
  const kinds = environment().run(`[${names}].map((one) => typeof one)`);
  expect([...kinds]).toEqual(names.map(() => 'function'));
});

test('to look at a global costs no more than a few times what a variable does', () => {
  const { run } = environment();
  const cost = (floor: string) => {
    const loop = run(`(() => {
      const local = Math.floor;
      let sum = 0;
      for (let at = 0; at < 1_000_000; at += 1) sum += ${floor}(at / 3);
      return sum;
    })`);
    const before = process.cpuUsage();
    loop();
    return process.cpuUsage(before).user;
  };
  // Behind a proxy it is forty times as much. Node.js before 22.8 has nothing else.
  const most = 'DONT_CONTEXTIFY' in constants ? 10 : 1_000;
  expect(cost('Math.floor')).toBeLessThan(most * cost('local'));
});
