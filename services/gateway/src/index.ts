export { settings } from './config';
export { openApiDocument } from './openapi/document';
export { operationIdOf } from './openapi/names';
export { routes } from './routes';
export { type RunningGateway, start } from './service';
