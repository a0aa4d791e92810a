import { spawn } from 'node:child_process';
import { until } from '@laurel/testing';
import { isAlive, stopProcess } from './processes.mjs';
import { Supervisor, stagesDownwards } from './supervisor.mjs';

const supervisors: Supervisor[] = [];

function supervise() {
  const faults: string[] = [];
  const supervisor = new Supervisor({ onFault: (message: string) => faults.push(message) });
  supervisors.push(supervisor);
  return { supervisor, faults };
}

/** A process that does nothing until a signal ends it. */
async function idle() {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  const pid = child.pid as number;
  return { pid, stop: () => stopProcess(pid) };
}

/** Parts that note the order in which they end. */
function endings() {
  const ended: string[] = [];
  const noting = (name: string) => async () => {
    const running = await idle();
    const stop = async () => {
      await running.stop();
      ended.push(name);
    };
    return { ...running, stop };
  };
  return { ended, noting };
}

const pidOf = (supervisor: Supervisor, name: string) =>
  supervisor.recorded().find((part) => part.name === name)?.pid as number;

afterEach(() => Promise.all(supervisors.splice(0).map((supervisor) => supervisor.stop())));

test('a killed process is started again and counted', async () => {
  const { supervisor, faults } = supervise();
  const { pid } = await supervisor.add({ name: 'ledger', stage: 2, start: idle });
  process.kill(pid, 'SIGKILL');
  await until(() => pidOf(supervisor, 'ledger') !== pid);
  expect(isAlive(pidOf(supervisor, 'ledger'))).toBe(true);
  expect(supervisor.faultsOf('ledger')).toBe(1);
  expect(faults).toEqual([expect.stringContaining('ledger')]);
});

test('stopping ends everything, later stages first', async () => {
  const { supervisor } = supervise();
  const { ended, noting } = endings();
  await supervisor.add({ name: 'engine', stage: 0, start: noting('engine') });
  await supervisor.add({ name: 'gateway', stage: 3, start: noting('gateway') });
  await supervisor.add({ name: 'ledger', stage: 2, start: noting('ledger') });
  const pids = supervisor.recorded().map(({ pid }) => pid);
  await supervisor.stop();
  expect(ended).toEqual(['gateway', 'ledger', 'engine']);
  expect(pids.map(isAlive)).toEqual([false, false, false]);
});

test('retiring a stage ends it and the later ones, these first, and leaves the earlier ones alone', async () => {
  const { supervisor, faults } = supervise();
  const { ended, noting } = endings();
  await supervisor.add({ name: 'engine', stage: 0, start: noting('engine') });
  await supervisor.add({ name: 'ledger', stage: 2, start: noting('ledger') });
  await supervisor.add({ name: 'gateway', stage: 3, start: noting('gateway') });
  await supervisor.retireFrom(2);
  expect(ended).toEqual(['gateway', 'ledger']);
  expect(supervisor.recorded().map(({ name }) => name)).toEqual(['engine']);
  expect(isAlive(pidOf(supervisor, 'engine'))).toBe(true);
  expect(faults).toEqual([]);
});

test('what is retired ends, stays ended, and leaves the others alone', async () => {
  const { supervisor, faults } = supervise();
  const { pid } = await supervisor.add({ name: 'ledger', stage: 2, start: idle });
  const stays = await supervisor.add({ name: 'ledger-2', stage: 2, start: idle });
  await supervisor.retire('ledger');
  expect(isAlive(pid)).toBe(false);
  expect(supervisor.recorded().map(({ name }) => name)).toEqual(['ledger-2']);
  // The watch of the other one has looked since.
  process.kill(stays.pid, 'SIGKILL');
  await until(() => faults.length > 0);
  expect(faults).toEqual([expect.stringContaining('ledger-2')]);
  expect(pidOf(supervisor, 'ledger')).toBeUndefined();
  await expect(supervisor.retire('ledger')).rejects.toThrow('does not run');
});

test('what is still starting when everything stops is ended too', async () => {
  const { supervisor } = supervise();
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const adding = supervisor.add({ name: 'slow', stage: 1, start: () => gate.then(idle) });
  const stopping = supervisor.stop();
  release();
  const { pid } = await adding;
  await stopping;
  expect(isAlive(pid)).toBe(false);
  await expect(supervisor.add({ name: 'late', stage: 1, start: idle })).rejects.toThrow(
    'being stopped',
  );
});

test('stages are gone through downwards, each once', () => {
  expect(stagesDownwards([{ stage: 1 }, { stage: 3 }, { stage: 1 }, { stage: 2 }])).toEqual([
    3, 2, 1,
  ]);
});
