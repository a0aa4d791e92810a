import { ConnectionError, isLaurelError } from '@laurel/client';
import { say } from '../../output';
import type { Done } from '../../programme/apply';
import type { Begins, Begun } from '../../programme/begins';
import { KINDS, type KindName } from '../../programme/kinds';
import { countWork, type Plan } from '../../programme/plan';
import type { Removal } from '../../programme/removal';
import type { SecretsFile } from '../../programme/secrets-file';
import { startProgress } from '../../progress';
import type { GlobalOptions } from '../../session';
import type { Terminal } from '../../terminal';

/** What an apply has done so far. */
interface Report {
  done: readonly (Done | Removal)[];
  begins: Begins;
  /**
   * Shows its secret at once, as the program may be killed; a program that reads JSON has it with all else.
   *
   * @throws where it cannot be kept in its file: it is shown then
   */
  add(one: Done | Removal): void;
  /**
   * Says what was done, once.
   *
   * @param refused what the apply stopped with; null where it did not, and left out where it is ended under way
   */
  say(refused?: unknown): void;
}

export function createReport(
  terminal: Terminal,
  options: GlobalOptions,
  { plan, secrets }: { plan: Plan; secrets: SecretsFile | null },
): Report {
  const work = countWork(plan);
  const progress = startProgress(terminal, 'applying');
  const done: (Done | Removal)[] = [];
  let at: Begun | null = null;
  let isSaid = false;
  const show = (one: Done | Removal) => {
    if (!('secret' in one) || typeof one.secret !== 'string') return;
    progress.end();
    const line = `secret of ${named(one)}, shown this once: ${one.secret}`;
    say(terminal, options, { data: one, lines: [line] });
  };
  return {
    done,
    begins: (one) => {
      at = one;
    },
    add(one) {
      at = null;
      const index = done.push(one) - 1;
      try {
        if (secrets) done[index] = withoutSecret(one, secrets);
      } finally {
        if (!options.json) show(done[index]!);
      }
      progress.show(done.length, work);
    },
    say(refused) {
      if (isSaid) return;
      isSaid = true;
      progress.end();
      const lines = told(done, { work, stopped: at ? stoppedAt(at, refused) : [] });
      say(terminal, options, { data: { done, left: work - done.length }, lines });
    },
  };
}

/** What was done, its secret being kept elsewhere. */
function withoutSecret(one: Done | Removal, secrets: SecretsFile): Done | Removal {
  if (!('secret' in one) || typeof one.secret !== 'string') return one;
  const { secret, ...rest } = one;
  secrets.keep({ kind: one.kind, key: one.key, secret });
  return { ...rest, secretIn: secrets.name };
}

function told(
  done: readonly (Done | Removal)[],
  { work, stopped }: { work: number; stopped: readonly string[] },
): string[] {
  if (work === 0) return ['✓ nothing to do'];
  const secrets = done.flatMap((one) => {
    if ('secretIn' in one) return [`  secret of ${named(one)} is in ${one.secretIn}`];
    const isUnknown = 'secret' in one && one.secret === null;
    return isUnknown ? [`  secret of ${named(one)} is unknown: give it another one`] : [];
  });
  const isWhole = done.length === work && stopped.length === 0;
  return [`${isWhole ? '✓' : '✗'} ${done.length} of ${work} done`, ...stopped, ...secrets];
}

const named = ({ kind, key }: Pick<Done, 'kind' | 'key'>): string =>
  `${KINDS[kind as KindName].noun} ${key}`;

/** What was under way, so that its author finds the file which the platform's no is about. */
function stoppedAt(at: Begun, refused: unknown): string[] {
  const place = at.file === undefined ? '' : ` of ${at.file}`;
  const lines = [`  stopped at ${named(at)}${place}`];
  if (at.hasSecret && mayBeDone(refused))
    lines.push(`  where ${named(at)} is there by now, its secret is unknown: give it another one`);
  return lines;
}

/** Whether what was asked last may have been done all the same: its answer is not there. */
const mayBeDone = (refused: unknown): boolean =>
  refused === undefined ||
  refused instanceof ConnectionError ||
  (isLaurelError(refused) && refused.status >= 500);
