import type { PortalConfig } from './shapes.ts';

export const VIEWS = ['home', 'rewards', 'statement', 'history', 'account'] as const;
export type ViewName = (typeof VIEWS)[number];

/** The views that the shop shows. */
export function viewsOf({ show_rewards, show_redemption_history }: PortalConfig): ViewName[] {
  return VIEWS.filter(
    (view) =>
      (view !== 'rewards' || show_rewards) && (view !== 'history' || show_redemption_history),
  );
}

/** The view that the page's address names; the first one when it names none. */
export function viewAt(hash: string, views: readonly ViewName[]): ViewName {
  return views.find((view) => hash === `#/${view}`) ?? 'home';
}
