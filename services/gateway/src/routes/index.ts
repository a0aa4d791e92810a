import type { Route } from '../routing';

/** The route table: one line per noun. What is not in it does not exist. */
export const routes: Route[] = [];
