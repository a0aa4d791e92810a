import type { Request } from 'express';

const LENGTH_MAX = 200;

/** What the program that signs in calls itself; nothing where it does not say. */
export function deviceOf(request: Request): { device?: string } {
  const named = request
    .get('user-agent')
    ?.replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, LENGTH_MAX);
  return named ? { device: named } : {};
}
