import type { PortalApi } from './api.ts';
import { PortalError } from './api.ts';
import type { Language } from './language.ts';
import type { PortalConfig } from './shapes.ts';
import { createContext, useContext } from './vendor/preact.js';

/** What every part of the page works with. */
export interface Portal {
  api: PortalApi;
  config: PortalConfig;
  language: Language;
  /** Says something for a moment, to eyes and to screen readers. */
  notify(sentence: string): void;
}

export const PortalContext = createContext<Portal>(undefined as never);

export const usePortal = (): Portal => useContext(PortalContext);

/** Trying again does not bring back what the shop has switched off or ended. */
const CLOSED = ['portal not enabled', 'the workspace was deleted'];

/** Whether the shop has switched the page off, or is gone. */
export const isClosed = (error: unknown): boolean =>
  error instanceof PortalError && CLOSED.includes(error.message);

/** What went wrong, in words that a customer can act on. */
export function sayError({ say }: Language, error: unknown): string {
  const { status } = error instanceof PortalError ? error : { status: -1 };
  if (status === 0) return say('error.unreachable');
  if (isClosed(error)) return say('error.closed');
  return say(status === 429 ? 'error.limited' : 'error.other');
}
