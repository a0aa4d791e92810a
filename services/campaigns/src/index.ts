export { settings } from './config';
export { start } from './service';
