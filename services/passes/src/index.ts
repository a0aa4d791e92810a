export { collections as indexes } from './collections';
export { settings } from './config';
export { start } from './service';
