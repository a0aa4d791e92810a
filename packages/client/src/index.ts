export { type Call, Laurel } from './client';
export { ConnectionError, isLaurelError, LaurelError, type Problem } from './errors';
export { TABLE as operations } from './generated/operations';
export type * from './generated/resources';
export type * from './generated/types';
export { type Attempt, type CallOptions, Http, type LaurelOptions, type Operation } from './http';
export { type Page, PageCall } from './pages';
export { rowsOf, type StreamedEvent } from './streams';
export { type VerifyOptions, verifyWebhook, WebhookError } from './webhooks';
