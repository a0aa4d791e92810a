export { settings } from './config';
export { openApiDocument } from './openapi/document';
export { routes } from './routes';
export { type RunningGateway, start } from './service';
