import type { Rows } from '@laurel/mongo';
import type { Wakes } from '@laurel/work';
import type { HeardTexts } from '../domain/pass/push-texts';
import {
  COALESCE_MS,
  type PassUpdate,
  type PassUpdateDocument,
  type PushOutcome,
} from './pass-update-document';

/** How far the texts of a pass have come. */
export interface TextProgress {
  heard: HeardTexts;
  /** Whether another one is to be pushed, or to be shown, after that. */
  isMoreWaiting: boolean;
}

export interface Ending {
  outcome?: Pick<PushOutcome, 'status' | 'attempts' | 'error'>;
  waitsFor?: (passId: string) => readonly string[];
  texts?: (passId: string) => TextProgress | undefined;
}

export interface Retry {
  update: PassUpdate;
  retryAt: Date;
  waitsFor: readonly string[];
  heard: HeardTexts | undefined;
}

/** A try that met something else first may say nothing of what another one waits for: then that stays. */
const waiting = (waitsFor: readonly string[]) =>
  waitsFor.length === 0 ? {} : { waits_for: waitsFor };

/** Of two replicas one may come late with less: what was heard stays heard. */
const hearing = (heard: HeardTexts | undefined) =>
  heard ? { $max: { 'heard.apple': heard.apple, 'heard.google': heard.google } } : {};

/** What the replica that has claimed pushes writes. */
export function createUpdateEndings(rows: Rows<PassUpdateDocument>, due: Wakes) {
  return {
    /**
     * Ends claims: what was asked for up to them is done, what came during them is due in 5 seconds, and so is the next text
     * where more wait. `outcome` is noted for those who look at pushes; without one what was noted stays. `waitsFor` names the
     * credentials that passes are to be pushed again with once they are there; where none is given they have heard all.
     */
    async settle(done: readonly PassUpdate[], pushedAt: Date, ending: Ending = {}): Promise<void> {
      if (done.length === 0) return;
      const { outcome, texts = () => undefined } = ending;
      const notBefore = new Date(pushedAt.getTime() + COALESCE_MS);
      const next = {
        not_before: notBefore,
        ...(outcome ? { outcome: { ...outcome, at: pushedAt } } : {}),
      };
      const { matchedCount } = await rows.bulkWrite(
        done.map(({ passId, asked }) => ({
          updateOne: {
            filter: { _id: passId, asked },
            update: endOf(passId, { next, pushedAt, ending }),
          },
        })),
        { ordered: false },
      );
      const isOvertaken = matchedCount < done.length;
      if (isOvertaken) {
        await rows.bulkWrite(
          done.map(({ passId }) => ({
            updateOne: {
              filter: { _id: passId, pending: true as const },
              update: { $set: next, $unset: { lease: '' }, ...hearing(texts(passId)?.heard) },
            },
          })),
          { ordered: false },
        );
        await askOvertaken(rows, done, notBefore);
      }
      if (isOvertaken || done.some(({ passId }) => texts(passId)?.isMoreWaiting))
        due.wake(undefined, notBefore);
    },

    /** Gives claims back for another try, none before its `retryAt`; `waitsFor` as for `settle`. */
    async postpone(retries: readonly Retry[]): Promise<void> {
      if (retries.length === 0) return;
      await rows.bulkWrite(
        retries.map(({ update: { passId, asked }, retryAt, waitsFor, heard }) => ({
          updateOne: {
            filter: { _id: passId },
            update: {
              $set: { not_before: retryAt, tried: asked, ...waiting(waitsFor) },
              $unset: { lease: '' },
              ...hearing(heard),
            },
          },
        })),
        { ordered: false },
      );
      for (const { retryAt } of retries) due.wake(undefined, retryAt);
    },
  };
}

/**
 * What becomes of a row whose claim ends. A text that waits is a change of what the pass shows, and asked for as any: who
 * pushed the one before too late finds out by that. After a failure it makes the push no younger.
 */
function endOf(
  passId: string,
  {
    next,
    pushedAt,
    ending: { outcome, waitsFor, texts },
  }: { next: Pick<PassUpdateDocument, 'not_before' | 'outcome'>; pushedAt: Date; ending: Ending },
) {
  const progress = texts?.(passId);
  const isMore = progress?.isMoreWaiting ?? false;
  return {
    $set: {
      ...next,
      ...(isMore ? { pending: true as const } : {}),
      ...(isMore && outcome ? { changed_at: pushedAt } : {}),
      ...(waitsFor ? waiting(waitsFor(passId)) : {}),
    },
    $unset: {
      lease: '' as const,
      ...(isMore ? {} : { pending: '' as const }),
      ...(waitsFor ? {} : { waits_for: '' as const }),
    },
    ...(isMore ? { $inc: { asked: 1 } } : {}),
    ...hearing(progress?.heard),
  };
}

/**
 * Of a claim that had ended another replica may have pushed something newer before what this one sent arrived: it is pushed
 * once more, so that the last thing that a wallet hears is how the pass is.
 */
async function askOvertaken(
  rows: Rows<PassUpdateDocument>,
  done: readonly PassUpdate[],
  notBefore: Date,
): Promise<void> {
  const again = { $set: { pending: true as const, not_before: notBefore }, $inc: { asked: 1 } };
  await rows.bulkWrite(
    done.map(({ passId, asked }) => ({
      updateOne: {
        filter: { _id: passId, asked: { $gt: asked }, pending: { $exists: false } },
        update: again,
      },
    })),
    { ordered: false },
  );
}
