export { settings } from './config';
export { operationIdOf } from './openapi/names';
export { routes } from './routes';
export { type RunningGateway, start } from './service';
