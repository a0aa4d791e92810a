import { appendFileSync, closeSync, openSync, unlinkSync } from 'node:fs';
import { UsageError } from '../failures';

/** Where secrets go that are shown once. */
export interface SecretsFile {
  name: string;
  /** At once, so that what was made is not lost with what comes after it. */
  keep(secret: { kind: string; key: string; secret: string }): void;
  /** Nothing is left of a file that nothing came into: it would be in the way of the next one. */
  close(): void;
}

/**
 * A file for its owner alone, one secret a line as JSON. It is made before anything else is, and never written over: a
 * secret that cannot be kept is not asked for, and one that is kept is not lost.
 */
export function openSecretsFile(name: string): SecretsFile {
  const file = opened(name);
  let isEmpty = true;
  let isOpen = true;
  return {
    name,
    keep({ kind, key, secret }) {
      isEmpty = false;
      appendFileSync(file, `${JSON.stringify({ kind, key, secret })}\n`);
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      closeSync(file);
      if (isEmpty) unlinkSync(name);
    },
  };
}

function opened(name: string): number {
  try {
    return openSync(name, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'EEXIST'
        ? `${name} is there already, and secrets are not written over: name another file`
        : `secrets cannot be kept: ${message}`,
    );
  }
}
