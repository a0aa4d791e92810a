import { type ChildProcess, execFile } from 'node:child_process';
import path from 'node:path';
import { gateways } from './api';
import type { TestWorkspace } from './factories';
import { oldestNode } from './oldest-node';

const PROGRAM = path.resolve(__dirname, '../../packages/cli/dist/laurel.cjs');

interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Runs the program in a folder of files, at work in a workspace. */
export function runLaurel(
  folder: string,
  workspace: TestWorkspace,
  parameters: readonly string[],
): Promise<Ended> {
  return start(folder, workspace, parameters).ended;
}

/** Runs it, and ends it as Ctrl-C does once it has begun to say something. */
export function interruptLaurel(
  folder: string,
  workspace: TestWorkspace,
  parameters: readonly string[],
): Promise<Ended> {
  const { child, ended } = start(folder, workspace, parameters);
  child.stdout!.once('data', () => child.kill('SIGINT'));
  return ended;
}

function start(
  folder: string,
  { token, workspaceId }: TestWorkspace,
  parameters: readonly string[],
): { child: ChildProcess; ended: Promise<Ended> } {
  const env = {
    PATH: process.env.PATH,
    LAUREL_CONFIG: folder,
    LAUREL_URL: gateways()[0]!,
    LAUREL_TOKEN: token,
    LAUREL_WORKSPACE: workspaceId,
    CRM_HOOK_URL: 'https://crm.example.com/hook',
  };
  let end: (ended: Ended) => void;
  const ended = new Promise<Ended>((resolve) => {
    end = resolve;
  });
  const child = execFile(
    oldestNode,
    [PROGRAM, ...parameters],
    { cwd: folder, env },
    (error, out, err) => end({ code: error ? Number(error.code) : 0, out, err }),
  );
  return { child, ended };
}
