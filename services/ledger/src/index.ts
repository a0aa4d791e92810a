export { settings } from './config';
export { start } from './service';
export { indexes } from './store/indexes';
