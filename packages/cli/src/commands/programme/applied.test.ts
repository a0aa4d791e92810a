import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConnectionError, LaurelError } from '@laurel/client';
import type { Plan, Step } from '../../programme/plan';
import { openSecretsFile, type SecretsFile } from '../../programme/secrets-file';
import { createRecorder } from '../../testing/recorder';
import { createReport } from './applied';

const step = (kind: Step['wanted']['kind'], key: string): Step => ({
  action: 'create',
  wanted: { kind, key, body: {}, file: 'shop.yaml' },
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
test.each([
  ['no answer tells of', new ConnectionError('lost', undefined), true],
  ['the platform could not answer for', refusal(503), true],
  ['was under way when the program was ended', undefined, true],
  ['was refused', refusal(400), false],
])('the secret of what %s is said to be unknown where it may be there', (_, refused, isSaid) => {
  const { report, out } = reporting();
  report.begins(plan.steps[0]!.wanted);
  report.say(refused);
  expect(out()).toContain('✗ 0 of 2 done\n  stopped at webhook crm of shop.yaml\n');
  expect(out().includes('its secret is unknown: give it another one')).toBe(isSaid);
});

test('what is refused about a thing that is there by now is said, and that not all is done', () => {
  const { report, out } = reporting();
  for (const key of ['crm', 'erp']) report.add({ ...CRM, key });
  report.begins(plan.steps[0]!.wanted);
  report.say(refusal(400));
  expect(out()).toContain('✗ 2 of 2 done\n  stopped at webhook crm of shop.yaml\n');
  const { secret: _none, ...without } = CRM;
  const unknown = reporting();
  unknown.report.add(without);
  unknown.report.begins(plan.steps[0]!.wanted);
  unknown.report.say(refusal(403));
  expect(unknown.out()).toContain('its secret is unknown');
});
