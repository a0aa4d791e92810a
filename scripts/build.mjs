// npm run build: generates the types of the protos and compiles every package and service, in the order their references give,
// then the pages that are bundled.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { helpIfAsked } from '../deploy/local/lib/help.mjs';
import { removeStaleOutputs } from '../deploy/local/lib/outputs.mjs';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import { run } from '../deploy/local/lib/processes.mjs';
import { pageFolders, projectFolders } from '../deploy/local/lib/workspace.mjs';

helpIfAsked();

const GATEWAY = 'services/gateway';
const CLIENT = 'packages/client';
const COMMAND_LINE = 'packages/cli';

try {
  const generator = 'packages/rpc/scripts/generate.mjs';
  if (existsSync(path.join(ROOT, generator)))
    await run(process.execPath, [generator], { cwd: ROOT });
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
  const folders = projectFolders();
  for (const folder of folders) removeStaleOutputs(path.join(ROOT, folder));
  await run(tsc, ['-b', ...folders.filter((folder) => folder !== CLIENT)], { cwd: ROOT });
  await run(process.execPath, [`${GATEWAY}/scripts/write-documents.mjs`], { cwd: ROOT });
  // The client is made of the API document, and that of the gateway.
  await run(process.execPath, [`${CLIENT}/scripts/generate.mjs`], { cwd: ROOT });
  await run(tsc, ['-b', CLIENT], { cwd: ROOT });
  await run(process.execPath, [`${CLIENT}/scripts/bundle.mjs`], { cwd: ROOT });
  await run(process.execPath, [`${COMMAND_LINE}/build.mjs`], { cwd: ROOT });
  for (const folder of pageFolders())
    await run(process.execPath, ['build.mjs'], { cwd: path.join(ROOT, folder) });
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
