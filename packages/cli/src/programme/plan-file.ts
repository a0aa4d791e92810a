import { readFileSync, writeFileSync } from 'node:fs';
import { UsageError } from '../failures';
import type { Seen } from './tags';
import type { Texts } from './texts';

/** A plan that is kept until somebody has looked at it: what it was made of, and what it is to be again. */
export interface KeptPlan {
  /** Id of the workspace. */
  workspace: string;
  /** Name of the plan. */
  plan: string;
  /** The files as they are written: what comes from the environment is not in them. */
  files: Texts;
  /** Of the register of what the programme owns; null where nothing was applied yet, or the files have no name. */
  register: string | null;
  seen: readonly Seen[];
}

const FORMAT = 1;

/** Values out of the environment are not written: who applies it has them, or it is another plan. */
export function writePlan(file: string, { files, ...kept }: KeptPlan): void {
  const content = { laurel_plan: FORMAT, ...kept, files: Object.fromEntries(files) };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

export function readPlan(file: string): KeptPlan {
  const content = parsed(file);
  if (content?.laurel_plan !== FORMAT || !content.files || !Array.isArray(content.seen))
    throw new UsageError(`${file} is neither a folder nor a plan of this version of laurel`);
  const { workspace, plan, files, register, seen } = content;
  return { workspace, plan, register, seen, files: new Map(Object.entries(files)) };
}

interface Content extends Omit<KeptPlan, 'files'> {
  laurel_plan: number;
  files: Record<string, string>;
}

function parsed(file: string): Content | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Content | null;
  } catch (error) {
    throw new UsageError(`${file} cannot be read as a plan: ${(error as Error).message}`);
  }
}
