import type { Say } from '../../language';

/** What a webhook is told of: a star stands for everything. */
export const tellEvents = (say: Say, types: readonly string[]): string =>
  types.includes('*') ? say('webhook.allEvents') : types.join(', ');
