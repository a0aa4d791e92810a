import type { Terminal } from '../terminal';

/** A terminal whose words are kept. */
export interface Recorder extends Terminal {
  said: () => { out: string; err: string };
}

export function createRecorder(
  configFolder: string,
  {
    env = {},
    input = '',
    interrupted = new AbortController().signal,
    isTty = false,
  }: Partial<Pick<Terminal, 'env' | 'interrupted' | 'isTty'> & { input: string }> = {},
): Recorder {
  let out = '';
  let err = '';
  return {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    isTty,
    env,
    configFolder,
    interrupted,
    readInput: async () => input,
    ask: async (question) => {
      throw new Error(`nobody answers ${question}`);
    },
    said: () => ({ out, err }),
  };
}
