import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Who somebody is at one platform. */
export interface Profile {
  url: string;
  email?: string;
  /** An API token; or a session, which goes on by its refresh token. */
  token?: string;
  access_token?: string;
  refresh_token?: string;
  /** Id of the workspace that commands mean. */
  workspace?: string;
}

interface Kept {
  current: string;
  profiles: Record<string, Profile>;
}

export const DEFAULT_PROFILE = 'default';
/** A lock of somebody who died. */
const LOCK_MS_MAX = 15_000;
const LOOK_MS = 50;

/** The profiles of this user, in one file that no other user can read. */
export function createProfiles(folder: string) {
  const file = path.join(folder, 'config.json');
  const lock = path.join(folder, 'config.lock');

  function read(): Kept {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Kept;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return { current: DEFAULT_PROFILE, profiles: {} };
      throw new Error(`${file} cannot be read: ${(error as Error).message}`);
    }
  }

  /** Whole or not at all, and never readable for others, not even for a moment. */
  function write(kept: Kept): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const beside = `${file}.${process.pid}`;
    writeFileSync(beside, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(beside, file);
  }

  return {
    file,
    /** The name of the profile that is meant where none is named. */
    current: (): string => read().current,
    get: (name: string): Profile | undefined => read().profiles[name],
    put(name: string, profile: Profile): void {
      const kept = read();
      write({ current: name, profiles: { ...kept.profiles, [name]: profile } });
    },
    /** Writes anew who is kept, whichever user commands mean; not where they were signed out in between. */
    renew(name: string, profile: Profile): void {
      const kept = read();
      if (kept.profiles[name]) write({ ...kept, profiles: { ...kept.profiles, [name]: profile } });
    },
    remove(name: string): void {
      const { current, profiles } = read();
      const { [name]: _gone, ...left } = profiles;
      write({ current, profiles: left });
    },

    /** Does something while no other process of this user does. */
    async alone<T>(work: () => Promise<T>): Promise<T> {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      while (!taken(lock)) await pause(LOOK_MS);
      try {
        return await work();
      } finally {
        rmSync(lock, { recursive: true, force: true });
      }
    },
  };
}

export type Profiles = ReturnType<typeof createProfiles>;

function taken(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > LOCK_MS_MAX) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}
