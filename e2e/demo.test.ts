import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seedDemo } from '../deploy/local/lib/demo.mjs';
import { gateways } from './support/api';

test('the demo workspace shows a form by which somebody joins, and is made once', async () => {
  const [baseUrl = ''] = gateways();
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'laurel-demo-')), 'demo.json');
  const demo = await seedDemo({ baseUrl, file });
  const form = await fetch(`${baseUrl}${demo.form_path}`);
  expect([form.status, await form.text()]).toEqual([200, expect.stringContaining('Laurel demo')]);
  expect(await seedDemo({ baseUrl, file })).toEqual(demo);
});
