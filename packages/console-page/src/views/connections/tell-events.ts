import type { Say } from '../../language';

/** What a webhook hears of: a star stands for everything. */
export const tellEvents = (say: Say, types: readonly string[]): string =>
  types.includes('*') ? say('webhook.allEvents') : types.join(', ');
