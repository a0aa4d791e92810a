import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConnectionError, LaurelError } from '@laurel/client';
import { applyPlan } from '../../programme/apply';
import type { Body } from '../../programme/kinds';
import type { Plan, Step } from '../../programme/plan';
import { applyRemovals } from '../../programme/removal';
import { openSecretsFile, type SecretsFile } from '../../programme/secrets-file';
import { createRecorder } from '../../testing/recorder';
import { createReport } from './applied';

const step = (kind: Step['wanted']['kind'], key: string, body: Body = {}): Step => ({
  action: 'create',
  wanted: { kind, key, body, file: 'shop.yaml' },
  id: null,
  differences: [],
});
const plan: Plan = {
  steps: [step('webhooks', 'crm'), step('webhooks', 'erp')],
  others: [],
  removals: [],
};
const CRM = { action: 'create' as const, kind: 'webhooks', key: 'crm', id: '1', secret: 'whsec_x' };
const SHOWN = 'secret of webhook crm, shown this once: whsec_x\n';

function reporting({ json = false, secrets = null as SecretsFile | null } = {}) {
  const terminal = createRecorder('');
  const report = createReport(terminal, { json }, { plan, secrets });
  return { report, out: () => terminal.said().out };
}

test('a report shows a secret at once, and says once what was done, whatever ends the command', () => {
  const { report, out } = reporting();
  report.add(CRM);
  expect(out()).toBe(SHOWN);
  report.say();
  report.say(new Error('later'));
  expect(out()).toBe(`${SHOWN}✗ 1 of 2 done\n`);
  const asData = reporting({ json: true });
  asData.report.add(CRM);
  asData.report.say();
  expect(JSON.parse(asData.out())).toEqual({ done: [CRM], left: 1 });
});

test('a secret that its file cannot keep is shown', () => {
  const secrets = {
    name: 'secrets.jsonl',
    keep: () => {
      throw new Error('no space left on device');
    },
    close: () => undefined,
  };
  const { report, out } = reporting({ secrets });
  expect(() => report.add(CRM)).toThrow('no space left');
  expect(out()).toBe(SHOWN);
});

test('a secret that its file keeps is shown nowhere else', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'laurel-applied-'));
  const secrets = openSecretsFile(path.join(folder, 'secrets.jsonl'));
  const { report, out } = reporting({ secrets });
  report.add(CRM);
  report.say();
  expect(out()).not.toContain('whsec_x');
  expect(readFileSync(secrets.name, 'utf8')).toContain('whsec_x');
  secrets.close();
  rmSync(folder, { recursive: true });
});

const refusal = (status: number) =>
  new LaurelError({ status, problems: [], requestId: undefined, retryAfterSeconds: undefined });
const lost = new ConnectionError('lost', undefined);
const UNKNOWN = 'its secret is unknown: give it another one';

/** Applies these steps to a workspace, as the command does. @returns what is said of it in the end */
async function saidOf(laurel: object, steps: Step[], { isEnded = false } = {}): Promise<string> {
  const all: Plan = { steps, others: [], removals: [] };
  const terminal = createRecorder('');
  const report = createReport(terminal, { json: false }, { plan: all, secrets: null });
  const found = steps.flatMap(({ wanted: { kind, key, body }, id }) =>
    id === null ? [] : [{ kind, key, id, body }],
  );
  let refused: unknown = null;
  try {
    const { begins } = report;
    for await (const one of applyPlan(laurel as never, all, { found, begins })) report.add(one);
  } catch (error) {
    refused = error;
  }
  report.say(isEnded ? undefined : refused);
  return terminal.said().out;
}

const fails = (error: unknown) => async () => {
  throw error;
};
const answers = (answer: object) => async () => answer;
const changed = (one: Step): Step => ({
  ...one,
  action: 'update',
  id: 'x',
  differences: [{ field: 'name', from: 'A', to: 'B' }],
});
const coffee = step('rewards', 'coffee', { notification_config: { webhook: 'crm' } });
const crm = step('webhooks', 'crm');
const crmMade = answers({ data: { id: 'w' }, secret: 'whsec_x' });

describe('what was applied', () => {
  test('is all of it where its last change is one that had to wait for another thing', async () => {
    const rewards = { create: answers({ id: 'r' }), update: answers({}) };
    const out = await saidOf({ rewards, webhooks: { create: crmMade } }, [coffee, crm]);
    expect(out).toBe(`${SHOWN}✓ 2 of 2 done\n`);
  });

  test('is not all of it where that change is refused, and says nothing of secrets that are known', async () => {
    const rewards = { create: answers({ id: 'r' }), update: fails(lost) };
    const out = await saidOf({ rewards, webhooks: { create: crmMade } }, [coffee, crm]);
    expect(out).toBe(`${SHOWN}✗ 2 of 2 done\n  stopped at reward coffee of shop.yaml\n`);
  });

  test('names a thing only while that is under way', () => {
    const { report, out } = reporting();
    report.begins(crm.wanted);
    report.begins(null);
    report.say();
    expect(out()).toBe('✗ 0 of 2 done\n');
  });

  test('is not all of it where the token of a form could not be had, which is said', async () => {
    const create = answers({ id: 'd', delivery_mode: 'embed' });
    const form = step('distributions', 'form');
    const said = await saidOf({ distributions: { create, rotateApiToken: fails(lost) } }, [form]);
    expect(said).toBe(
      '✗ 1 of 1 done\n  stopped at distribution form of shop.yaml\n  secret of distribution form is unknown: give it another one\n',
    );
  });

  test('says of a token that could not be had for programs, too, and whatever comes next', () => {
    const { report, out } = reporting({ json: true });
    const form = { ...CRM, kind: 'distributions', key: 'form', secret: null };
    report.add(form);
    report.say(new Error('interrupted'));
    expect(JSON.parse(out()).done).toEqual([form]);
    const inWords = reporting();
    inWords.report.add(form);
    inWords.report.say(new Error('interrupted'));
    expect(inWords.out()).toBe(
      '✗ 1 of 2 done\n  secret of distribution form is unknown: give it another one\n',
    );
  });
});

describe('a secret that went with a lost answer', () => {
  test.each([
    ['no answer tells of', lost, {}, true],
    ['the platform could not answer for', refusal(503), {}, true],
    ['was under way when the program was ended', lost, { isEnded: true }, true],
    ['was refused', refusal(400), {}, false],
  ])('is said to be unknown where what %s may be there', async (_, error, how, isSaid) => {
    for (const one of [crm, step('distributions', 'form')]) {
      const asked = { create: fails(error) };
      const out = await saidOf({ webhooks: asked, distributions: asked }, [one], how);
      expect(out).toContain('✗ 0 of 1 done\n  stopped at ');
      expect(out.includes(UNKNOWN)).toBe(isSaid);
    }
  });

  test.each([
    ['a webhook that is changed', changed(step('webhooks', 'crm', { name: 'B' }))],
    ['a form that is changed', changed(step('distributions', 'form', { name: 'B' }))],
    ['a form that is a page', step('distributions', 'form', { delivery_mode: 'page' })],
    ['a reward', step('rewards', 'coffee')],
  ])('is none of %s: what is in use is not to be replaced', async (_, one) => {
    const get = () => ({
      withResponse: answers({
        data: { name: 'A', key: one.wanted.key },
        response: { headers: new Headers() },
      }),
    });
    const asked = { create: fails(lost), update: fails(lost), get };
    for (const isEnded of [false, true]) {
      const laurel = { webhooks: asked, distributions: asked, rewards: asked };
      const out = await saidOf(laurel, [one], { isEnded });
      expect(out).toMatch(/✗ 0 of 1 done\n {2}stopped at .* of shop.yaml\n$/);
    }
  });

  test('is none of a webhook that leaves the files', async () => {
    const { report, out } = reporting();
    const removal = { kind: 'webhooks' as const, key: 'crm', id: 'w', action: 'delete' as const };
    const gone = applyRemovals({ webhooks: { delete: fails(lost) } } as never, [removal], {
      begins: report.begins,
    });
    await expect(gone.next()).rejects.toThrow('lost');
    report.say(lost);
    expect(out()).toBe('✗ 0 of 2 done\n  stopped at webhook crm\n');
  });
});
