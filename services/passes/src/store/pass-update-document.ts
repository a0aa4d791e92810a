import type { HeardTexts } from '../domain/pass/push-texts';

/** At most one push per pass in so long (part 3, section 10). */
export const COALESCE_MS = 5_000;

/** A push that is owed, in the hands of one worker. */
export interface PassUpdate {
  passId: string;
  workspaceId: string;
  asked: number;
  /** Nothing was asked for since a push failed. */
  isRepeat: boolean;
  changedAt: Date;
  heard: HeardTexts;
}

/** What became of the last push of a pass. */
export interface PushOutcome {
  status: 'sent' | 'failed';
  attempts: number;
  error: string | null;
  at: Date;
}

/** A row per pass, as long as the pass lives. */
export interface PassUpdateDocument {
  _id: string;
  workspace_id: string;
  /** There while a push is owed. */
  pending?: true;
  /** How often a push was asked for: one that is asked for during a push is not lost. */
  asked: number;
  /** What `asked` was when a push last failed. */
  tried?: number;
  /** The next push may not go before this; also the end of a claim. */
  not_before: Date;
  /** When what the pass shows last changed. */
  changed_at: Date;
  /** Whose hands it is in. */
  lease?: string;
  /**
   * The names of the credentials (`push-failures.ts`) that phones or a wallet heard nothing for want of; it is pushed again
   * once there are some of them. An earlier version noted the wallet alone, as a text.
   */
  waits_for?: readonly string[];
  /** Absent while no text of the pass was pushed. */
  heard?: HeardTexts;
  outcome?: PushOutcome;
}
