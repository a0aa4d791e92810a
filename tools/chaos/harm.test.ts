import { createHarm } from './harm.mjs';

const ready = async () => undefined;
const fault = (action: string, atMs = 0) => ({ atMs, action, target: 'rabbitmq', forMs: 1 });
const history = () => {
  let now = 0;
  const told: string[] = [];
  return {
    told,
    fault: ({ action }: { action: string }) => void told.push(action),
    now: () => {
      now += 1;
      return now;
    },
  };
};

test('a kind of fault that met nothing is tried again once the others have ended, and no more often than it takes', async () => {
  const notes = history();
  let alarms = 0;
  const inject = async ({ action }: { action: string }) => {
    if (action === 'kill') return true;
    alarms += 1;
    return alarms === 3;
  };
  const harm = createHarm({ inject, history: notes as never, ready });
  await harm.play([fault('alarm'), fault('kill'), fault('alarm')] as never);
  expect(notes.told).toEqual(['alarm', 'kill', 'alarm', 'alarm']);
  expect(harm.faults.map(({ hit }) => hit)).toEqual([false, true, false, true]);
  await harm.play([fault('alarm')] as never);
  expect(harm.faults).toHaveLength(5);
});

test('a kind of fault that never meets anything is given up, so that the run can say so', async () => {
  const inject = async () => false;
  const harm = createHarm({ inject, history: history() as never, ready });
  await harm.play([fault('full')] as never);
  expect(harm.faults.map(({ hit }) => hit)).toEqual([false, false, false, false]);
});
