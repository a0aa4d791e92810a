import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { gateways } from './support/api';
import { newWalletType, newWorkspace } from './support/factories';
import { type Block, blocksIn, differenceOf, exampleProgramOf, programOf } from './support/guides';

jest.setTimeout(300_000);

const ROOT = path.resolve(__dirname, '..');
const GUIDES = path.join(ROOT, 'docs/guides');
const guides = readdirSync(GUIDES).filter((name) => name.endsWith('.md'));

/** A stranger's folder: nothing in it but the client for programs, the examples, and `laurel` on the path. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-guide-'));
  mkdirSync(path.join(folder, 'bin'));
  symlinkSync(path.join(ROOT, 'packages/cli/dist/laurel.cjs'), path.join(folder, 'bin/laurel'));
  mkdirSync(path.join(folder, 'node_modules/@laurel'), { recursive: true });
  symlinkSync(path.join(ROOT, 'packages/client'), path.join(folder, 'node_modules/@laurel/client'));
  cpSync(path.join(ROOT, 'examples'), path.join(folder, 'examples'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Each program of a guide as Node 20 runs it, its types checked beforehand by `the programs of the guides`. */
async function writePrograms(blocks: readonly Block[]): Promise<void> {
  for (const { language, number, code } of blocks) {
    if (language !== 'ts') continue;
    const source = path.join(folder, `${number}.ts`);
    writeFileSync(source, code);
    const outfile = path.join(folder, `${number}.mjs`);
    await build({ entryPoints: [source], outfile, format: 'esm', target: 'es2022' });
  }
}

function run(
  program: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ out: string; err: string }> {
  const options = { cwd: folder, env: environment, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', program], options, (error, out, err) =>
      error
        ? reject(new Error(`${error.message}\n${out.slice(-4_000)}\n${err}`))
        : resolve({ out, err }),
    );
  });
}

describe.each(guides)('the guide %s', (guide) => {
  const text = readFileSync(path.join(GUIDES, guide), 'utf8');
  const blocks = blocksIn(text.replaceAll('http://localhost:8080', gateways()[0]!));

  test('can be typed from its first line to its last, and is answered as it says', async () => {
    const workspace = await newWorkspace();
    await newWalletType(workspace, { code: 'beans', name: 'Beans', is_default: true });
    await writePrograms(blocks);
    const { out } = await run(programOf(blocks), {
      PATH: `${folder}/bin:${process.env.PATH}`,
      HOME: folder,
      LAUREL_URL: gateways()[0]!,
      LAUREL_TOKEN: workspace.token,
      LAUREL_WORKSPACE: workspace.workspaceId,
    });
    expect(differenceOf(blocks, out)).toEqual([]);
  });
});

/** What the compiler says against programs of a stranger's folder, most strictly. */
async function complaintsOf(programs: readonly string[]): Promise<string> {
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'];
  const types = ['--typeRoots', path.join(ROOT, 'node_modules/@types'), '--types', 'node'];
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
  return (await run([tsc, ...options, ...types, ...programs].join(' '), process.env)).out;
}

test('the programs of the guides have right types', async () => {
  const programs = guides.flatMap((guide) =>
    blocksIn(readFileSync(path.join(GUIDES, guide), 'utf8'))
      .filter(({ language }) => language === 'ts')
      .map(({ number, code }) => {
        const file = path.join(folder, `${guide}-${number}.ts`);
        writeFileSync(file, code);
        return file;
      }),
  );
  expect(await complaintsOf(programs)).toBe('');
});

test('every example of the client’s reference has right types', async () => {
  const reference = path.join(ROOT, 'packages/docs-page/dist/client');
  const pages = readdirSync(reference).filter((name) => name.endsWith('.md'));
  const programs = pages.map((page) => {
    const file = path.join(folder, page.replace('.md', '.ts'));
    const text = readFileSync(path.join(reference, page), 'utf8');
    writeFileSync(file, exampleProgramOf(text));
    return file;
  });
  expect(programs.length).toBeGreaterThan(30);
  expect(await complaintsOf(programs)).toBe('');
});
