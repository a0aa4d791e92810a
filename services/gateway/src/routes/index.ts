import type { Route } from '../routing';
import { webhookRoutes } from './webhooks/routes';

/** The route table: one line per noun. What is not in it does not exist. */
export const routes: Route[] = [...webhookRoutes];
