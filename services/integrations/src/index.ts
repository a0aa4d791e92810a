export { settings } from './config';
export { indexes, start } from './service';
