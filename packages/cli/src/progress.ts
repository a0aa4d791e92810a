import type { Terminal } from './terminal';

const WIDTH = 24;
const SHOWN_EVERY_MS = 100;

export interface Progress {
  /** So much is done, of so much where that is known. */
  show(done: number, total?: number): void;
  /** Takes the bar away. */
  end(): void;
}

/** A bar with the rate, for a person who looks on; nothing where there is none. */
export function startProgress(
  { err, isTty }: Terminal,
  what: string,
  now: () => number = Date.now,
): Progress {
  const startedAt = now();
  let shownAt = 0;
  return {
    show(done, total) {
      if (!isTty || now() - shownAt < SHOWN_EVERY_MS) return;
      shownAt = now();
      const perSecond = Math.round((done * 1_000) / Math.max(now() - startedAt, 1));
      const of = total ? `${barOf(done / total)} ${done}/${total}` : `${done}`;
      err(`\r\u001b[K${what} ${of}, ${perSecond}/s`);
    },
    end() {
      if (isTty && shownAt > 0) err('\r\u001b[K');
    },
  };
}

function barOf(part: number): string {
  const full = Math.round(Math.min(part, 1) * WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
}
