import { crmSync } from './crm-sync/provider';
import { pos } from './pos/provider';
import type { Provider } from './provider';
import { webhookInbox } from './webhook-inbox/provider';

/** The systems that workspaces can connect with: one folder and one line each. */
const providers: readonly Provider[] = [crmSync, pos, webhookInbox];

const bySlug = new Map(providers.map((provider) => [provider.slug, provider]));

export const availableProviders: readonly string[] = [...bySlug.keys()];

export const findProvider = (slug: string): Provider | undefined => bySlug.get(slug);
