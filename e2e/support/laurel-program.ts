import { execFile } from 'node:child_process';
import path from 'node:path';
import { gateways } from './api';
import type { TestWorkspace } from './factories';

const PROGRAM = path.resolve(__dirname, '../../packages/cli/dist/laurel.cjs');

/** Runs the program in a folder of files, at work in a workspace. */
export function runLaurel(
  folder: string,
  { token, workspaceId }: TestWorkspace,
  parameters: readonly string[],
): Promise<{ code: number; out: string; err: string }> {
  const env = {
    PATH: process.env.PATH,
    LAUREL_CONFIG: folder,
    LAUREL_URL: gateways()[0]!,
    LAUREL_TOKEN: token,
    LAUREL_WORKSPACE: workspaceId,
    CRM_HOOK_URL: 'https://crm.example.com/hook',
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...parameters], { cwd: folder, env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}
