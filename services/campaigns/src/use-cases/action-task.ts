import type { Action } from '../domain/action';
import type { CampaignHead } from '../store/mapping';
import type { whileHeld } from './while-held';

/** An action that is to be applied to the audience of its campaign. */
export interface ActionTask {
  campaign: CampaignHead;
  actions: readonly Action[];
  action: Action;
}

/** What holds the campaign while its audience is gone through: writes beside the proof that it still does. */
export type Holding = (write: Parameters<typeof whileHeld>[2]) => Promise<boolean>;

/** After a step: there is more to do at once, or when others have done what is waited for, or not for us. */
export type Next = 'at once' | 'later' | 'not for us';
