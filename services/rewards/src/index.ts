export { collections as indexes } from './collections';
export { settings } from './config';
export { retiredQueues } from './consumers';
export { start } from './service';
