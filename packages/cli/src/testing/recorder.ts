import type { Terminal } from '../terminal';

/** A terminal whose words are kept. */
export interface Recorder extends Terminal {
  said: () => { out: string; err: string };
  /** What `out` is in bytes. */
  written: () => Buffer;
}

export function createRecorder(
  configFolder: string,
  {
    env = {},
    input = '',
    interrupted = new AbortController().signal,
    isTty = false,
  }: Partial<
    Pick<Terminal, 'env' | 'interrupted' | 'isTty'> & { input: string | Uint8Array<ArrayBuffer> }
  > = {},
): Recorder {
  const out: Buffer[] = [];
  let err = '';
  return {
    out: (piece) => void out.push(Buffer.from(piece)),
    err: (text) => {
      err += text;
    },
    isTty,
    env,
    configFolder,
    interrupted,
    readInput: async () => Buffer.from(input),
    mustBeHeard: () => undefined,
    ask: async (question) => {
      throw new Error(`nobody answers ${question}`);
    },
    said: () => ({ out: Buffer.concat(out).toString(), err }),
    written: () => Buffer.concat(out),
  };
}
