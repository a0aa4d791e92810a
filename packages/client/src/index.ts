export { Laurel } from './client';
export { ConnectionError, isLaurelError, LaurelError, type Problem } from './errors';
export type * from './generated/resources';
export type * from './generated/types';
export type { Attempt, CallOptions, LaurelOptions } from './http';
export { type Page, PageCall } from './pages';
export { type VerifyOptions, verifyWebhook, WebhookError } from './webhooks';
