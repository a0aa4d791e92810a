import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gateways } from './support/api';
import { newWorkspace } from './support/factories';
import { answersOf, commandsIn, withAnswers } from './support/transcript';

jest.setTimeout(300_000);

const ROOT = path.resolve(__dirname, '..');
const PAGE = path.join(ROOT, 'docs/guides/shop.md');

/** WRITE_TRANSCRIPT=1 writes the page anew, for a change of what the command line says. */
test('the coffee shop is planned, applied, changed by hand, planned again, tested and removed to the letter of its page', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'laurel-transcript-'));
  try {
    mkdirSync(path.join(folder, 'bin'));
    symlinkSync(path.join(ROOT, 'packages/cli/dist/laurel.cjs'), path.join(folder, 'bin/laurel'));
    cpSync(path.join(ROOT, 'examples/coffee-shop'), path.join(folder, 'coffee-shop'), {
      recursive: true,
    });
    const workspace = await newWorkspace();
    const page = readFileSync(PAGE, 'utf8');
    const answers = await answersOf(commandsIn(page), {
      cwd: folder,
      env: {
        PATH: `${folder}/bin:${process.env.PATH}`,
        HOME: folder,
        LAUREL_URL: gateways()[0]!,
        LAUREL_TOKEN: workspace.token,
        LAUREL_WORKSPACE: workspace.workspaceId,
        CRM_HOOK_URL: 'https://crm.example.com/hook',
      },
    });
    const typed = withAnswers(page, answers);
    if (process.env.WRITE_TRANSCRIPT === '1') writeFileSync(PAGE, typed);
    else expect(page).toBe(typed);
    const managed = (await workspace.get(':ws/programmes/coffee-shop')).body.data.managed;
    expect(managed).toEqual([]);
    expect((await workspace.get(':ws/rewards')).body.data).toEqual([]);
    expect((await workspace.get(':ws/automations')).body.data).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
