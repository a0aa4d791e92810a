import { importsOf, layoutViolations, tidyViolations } from './import-rules.mjs';

const services = new Set(['ledger', 'clients', 'gateway']);
const layout = (file: string, source: string) => layoutViolations(file, source, services);

describe('importsOf', () => {
  it('finds every way of importing, and nothing in comments', () => {
    const source = [
      "import './a';",
      "import type { B } from './b';",
      'import {\n  c,\n  d,\n} from "./c";',
      "export * from './e';",
      "const f = require('f');",
      "const g = await import('./g');",
      "// import h from './h';",
      "/* import i from './i'; */",
      "const text = 'imported from elsewhere';",
    ].join('\n');
    expect(importsOf(source)).toEqual(['./a', './b', './c', './e', 'f', './g']);
  });
});

describe('layoutViolations', () => {
  it.each([
    ['services/ledger/src/rpc.ts', "import { earn } from './use-cases/earn-points';"],
    ['services/ledger/src/service.ts', "import { createStore } from './store/entries';"],
    ['services/ledger/src/use-cases/earn.ts', "import { wallet } from '../domain/wallet';"],
    ['services/ledger/src/store/entries.ts', "import mongoose from 'mongoose';"],
    ['services/ledger/src/domain/wallet.ts', "import { refusals } from '../refusals';"],
    ['services/ledger/src/domain/wallet.ts', "import { add } from '@laurel/values/amount';"],
    ['packages/events/src/broker.ts', "import amqp from 'amqplib';"],
    ['packages/config/src/load.ts', 'export const environment = process.env;'],
    ['services/ledger/src/domain/wallet.test.ts', "import { x } from '../use-cases/earn';"],
    ['services/ledger/src/assemble.ts', "import { createStore } from './store/entries';"],
    ['services/ledger/src/outside/bank.ts', "import { wallet } from '../domain/wallet';"],
    ['services/ledger/src/earn.int.test.ts', "import { start } from './service';"],
    ['services/gateway/src/routes/wallets.ts', 'export const routes = [];'],
    ['services/ledger/src/use-cases/wire.ts', 'export function toEntryReply(): void {}'],
    ['services/passes/src/use-cases/pass/wire.ts', 'export function toPassReply(): void {}'],
    ['tools/demo/run.mjs', "import { createRandom } from '../lib/random.mjs';"],
    ['services/gateway/src/app.ts', 'throw new Refusal(error, [told]);'],
    ['services/ledger/src/store/entries.ts', 'const ended = { $set: { lease: null } };'],
  ])('accepts %s with %s', (file, source) => {
    expect(layout(file, source)).toEqual([]);
  });

  it.each([
    [
      'services/ledger/src/store/entries.ts',
      "import { earn } from '../use-cases/earn';",
      'turn the call around',
    ],
    [
      'services/ledger/src/use-cases/earn.ts',
      "import { rpcHandlers } from '../rpc';",
      'turn the call around',
    ],
    [
      'services/ledger/src/outside/bank.ts',
      "import { earn } from '../use-cases/earn';",
      'turn the call around',
    ],
    [
      'services/ledger/src/outside/bank.ts',
      "import { entries } from '../store/entries';",
      'turn the call around',
    ],
    ['services/ledger/src/rates.ts', 'export const rate = 1;', 'stands beside the rooms'],
    ['services/ledger/src/helpers/rates.ts', 'export const rate = 1;', 'is no room'],
    [
      'services/ledger/src/domain/wallet.ts',
      "import { entries } from '../store/entries';",
      'pass in what it needs',
    ],
    [
      'services/ledger/src/domain/wallet.ts',
      "import { x } from '@laurel/mongo';",
      'pass in what it needs',
    ],
    ['services/ledger/src/domain/wallet.ts', 'const now = Date.now();', 'pass the result in'],
    ['services/ledger/src/jobs.ts', 'setInterval(sweep, 1_000);', 'a context of its own'],
    [
      'packages/events/src/relay.ts',
      'runInContext(systemContext(), work);',
      'a context of its own',
    ],
    ['services/ledger/src/rpc.ts', "import { x } from '@laurel/clients';", 'ask it over gRPC'],
    [
      'services/ledger/src/rpc.ts',
      "import { x } from '../../clients/src/rpc';",
      'ask it over gRPC',
    ],
    ['packages/rpc/src/a.ts', "import { x } from '@laurel/clients';", 'ask it over gRPC'],
    ['services/ledger/src/consumers.ts', "import amqp from 'amqplib';", 'use @laurel/events'],
    ['services/ledger/src/rpc.ts', "import grpc from '@grpc/grpc-js';", 'use @laurel/rpc'],
    [
      'services/ledger/src/use-cases/earn.ts',
      "import mongoose from 'mongoose';",
      'keep it in src/store/',
    ],
    ['services/ledger/src/service.ts', 'const port = process.env.PORT;', 'declare the setting'],
    [
      'services/ledger/src/service.ts',
      "import { env } from 'node:process';",
      'declare the setting',
    ],
    ['services/ledger/src/service.ts', 'const { env } = process;', 'declare the setting'],
    [
      'services/ledger/src/use-cases/earn.ts',
      "throw new Refusal({ code: 'NO', httpStatus: 400 }, []);",
      'declare it in refusals.ts',
    ],
    [
      'services/ledger/src/store/entries.ts',
      'rows.findOneAndUpdate({ due_at }, { $set: { due_at: later, lease: newId() } });',
      'claims work by hand',
    ],
    [
      'tools/demo/run.mjs',
      "import { createRandom } from '../chaos/random.mjs';",
      'move what both need to tools/lib',
    ],
    [
      'services/ledger/src/store/entries.ts',
      'export function toEntryReply(entry: Entry): ledger.Entry {}',
      'stands in the wire.ts of its noun',
    ],
    [
      'services/ledger/src/use-cases/earn.ts',
      'export const presentEntry = (entry: Entry): ledger.Entry => ({});',
      'stands in the wire.ts of its noun',
    ],
    [
      'services/ledger/src/use-cases/earn.ts',
      "const answer = await fetch('https://till.example');",
      'stands in outside/',
    ],
    [
      'services/ledger/src/store/entries.ts',
      "import { readFile } from 'node:fs/promises';",
      'stands in outside/',
    ],
    ['services/gateway/src/app.ts', "console.warn('late');", 'the logger of the deps'],
    ['services/gateway/src/helpers/a.ts', 'export const a = 1;', 'the gateway has'],
    ['services/gateway/src/app.ts', "import { x } from '@laurel/mongo';", 'keeps nothing'],
  ])('refuses %s with %s', (file, source, advice) => {
    expect(layout(file, source)).toEqual([expect.stringContaining(advice)]);
  });
});

describe('tidyViolations', () => {
  const lines = (count: number) => 'x;\n'.repeat(count);

  it('limits the length of a source, not of a test', () => {
    expect(tidyViolations('packages/a/src/a.ts', lines(300))).toEqual([]);
    expect(tidyViolations('packages/a/src/a.ts', lines(301))).toEqual([
      expect.stringContaining('split it'),
    ]);
    expect(tidyViolations('packages/a/src/a.test.ts', lines(301))).toEqual([]);
  });

  it('lets a suite name what it runs only where something is there', () => {
    const source = 'const here = socket ? describe : describe.sk' + 'ip;';
    expect(tidyViolations('packages/a/src/a.test.ts', source)).toEqual([]);
  });

  it.each([
    ['it.on' + "ly('works', () => {});", 'let every test run'],
    ['describe.sk' + "ip('works', () => {});", 'let every test run'],
    ['test.to' + "do('works');", 'let every test run'],
    ['await new Promise<void>((go) => setTime' + 'out(go, 50));', 'wait for a condition'],
    ['await new Promise((resolve) => setTime' + 'out(resolve, 50));', 'wait for a condition'],
    ['// TO' + 'DO: later', 'do it now'],
  ])('refuses %s in a test', (source, advice) => {
    expect(tidyViolations('packages/a/src/a.test.ts', source)).toEqual([
      expect.stringContaining(advice),
    ]);
  });
});
