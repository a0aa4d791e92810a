export { settings } from './config';
export { indexes } from './indexes';
export { start } from './service';
