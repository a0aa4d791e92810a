// What of a valid request cannot be read from its schema: which row fits, and what has to be there before.
import { OUTSIDE } from './outside.mjs';
import { WORKSPACE } from './workspace.mjs';

/** @type {Record<string, import('./parts.mjs').MakeBase>} */
export const BASES = { ...OUTSIDE, ...WORKSPACE };
