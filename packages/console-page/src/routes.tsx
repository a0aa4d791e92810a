import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { Frame } from './frame/frame';
import { Lost } from './frame/lost';
import { Trouble } from './parts/loaded';

type View = () => Promise<Record<string, unknown>>;

/** Every address of the console, and what is fetched for it. */
const VIEWS: readonly [path: string, view: View, name: string][] = [
  ['/', () => import('./views/overview/overview'), 'Overview'],
  ['/customers', () => import('./views/customers/customers'), 'Customers'],
  ['/customers/$id', () => import('./views/customer/customer'), 'Customer'],
  ['/rewards', () => import('./views/rewards/rewards'), 'Rewards'],
  ['/rewards/$id', () => import('./views/rewards/reward'), 'RewardPage'],
  ['/rules', () => import('./views/rules/rules'), 'Rules'],
  ['/rules/$id', () => import('./views/rules/rule'), 'RulePage'],
  ['/tiers', () => import('./views/tiers/tiers'), 'Tiers'],
  ['/segments', () => import('./views/segments/segments'), 'Segments'],
  ['/segments/$id', () => import('./views/segments/segment'), 'SegmentPage'],
  ['/campaigns', () => import('./views/campaigns/campaigns'), 'Campaigns'],
  ['/campaigns/$id', () => import('./views/campaigns/campaign'), 'CampaignPage'],
  ['/cards', () => import('./views/cards/cards'), 'Cards'],
  ['/cards/$id', () => import('./views/cards/card'), 'CardPage'],
  ['/forms', () => import('./views/forms/forms'), 'Forms'],
  ['/forms/$id', () => import('./views/forms/form'), 'FormPage'],
  ['/till', () => import('./views/till/till'), 'Till'],
  ['/connections', () => import('./views/connections/connections'), 'Connections'],
  ['/connections/webhooks/$id', () => import('./views/connections/webhook'), 'WebhookPage'],
  [
    '/connections/integrations/$provider',
    () => import('./views/connections/integration'),
    'IntegrationPage',
  ],
  ['/settings', () => import('./views/settings/settings'), 'Settings'],
];

const root = createRootRoute({
  component: Frame,
  notFoundComponent: Lost,
  errorComponent: ({ error }) => <Trouble error={error} onRetry={() => location.reload()} />,
});

const routes = VIEWS.map(([path, view, name]) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(view as never, name as never),
  }),
);

/** Filters and tabs are plain words in the address: it can be read, sent and kept. */
export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: '/console',
  defaultPreload: 'intent',
  // What is typed, opened or paged to on the page of one thing is nothing of another's.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text ? `?${text}` : '';
  },
});
