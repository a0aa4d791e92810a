import { automationEvents } from './automations';
import { campaignEvents } from './campaigns';
import { clientEvents } from './clients';
import type { EventDefinition } from './define';
import { identityEvents } from './identity';
import { integrationEvents } from './integrations';
import { loyaltyEvents } from './loyalty';
import { mobileAppEvents } from './mobile-app';
import { passEvents } from './passes';
import { referralEvents } from './referrals';
import { rewardEvents } from './rewards';
import { tierEvents } from './tiers';
import { trailEvents } from './trail';
import { webhookEvents } from './webhooks';

const definitions = [
  ...identityEvents,
  ...clientEvents,
  ...trailEvents,
  ...loyaltyEvents,
  ...passEvents,
  ...mobileAppEvents,
  ...tierEvents,
  ...rewardEvents,
  ...referralEvents,
  ...automationEvents,
  ...campaignEvents,
  ...webhookEvents,
  ...integrationEvents,
] as const;

type Definitions = (typeof definitions)[number];

/** `custom.*` becomes `custom.${string}`, so that concrete types are checked too. */
export type Concrete<Type extends string> = Type extends `${infer Prefix}.*`
  ? `${Prefix}.${string}`
  : Type;

/** Event type -> its data. */
export type EventMap = {
  [Definition in Definitions as Concrete<Definition['type']>]: Definition extends EventDefinition<
    string,
    infer Data
  >
    ? Data
    : never;
};
export type EventType = keyof EventMap;

/** Events about a user across workspaces; all others name the workspace that they are of. */
const USER_EVENTS = ['identity.user_sessions_revoked'] as const satisfies readonly EventType[];
export type UserEventType = (typeof USER_EVENTS)[number];

/** Whether events of a type name no workspace. */
export function isOfUser(type: string): boolean {
  return (USER_EVENTS as readonly string[]).includes(type);
}

/** Every event type of the platform, grouped by domain. docs/events.md and asyncapi.json come from it. */
export const catalogue: readonly EventDefinition<string, unknown>[] =
  definitions as readonly EventDefinition<
    string,
    // biome-ignore lint/suspicious/noExplicitAny: a schema of one event is no schema of unknown; only `validate` is used.
    any
  >[];

const exact = new Map<string, EventDefinition>();
const patterns: { prefix: string; definition: EventDefinition }[] = [];
for (const definition of catalogue) {
  if (definition.type.endsWith('.*'))
    patterns.push({ prefix: definition.type.slice(0, -1), definition });
  else exact.set(definition.type, definition);
}

/** The catalogue's entry for a concrete type; undefined when the platform knows no such event. */
export function findDefinition(type: string): EventDefinition | undefined {
  return (
    exact.get(type) ??
    patterns.find(({ prefix }) => type.startsWith(prefix) && type.length > prefix.length)
      ?.definition
  );
}

/** Every name that a webhook may subscribe to; a final `*` stands for any ending. */
export const webhookNames: readonly string[] = catalogue.flatMap(({ type, webhook }) =>
  webhook === null || isToldAgain(type, webhook) ? [] : [webhook],
);

/** What comes from outside about things that the platform tells itself: it adds no names of its own. */
function isToldAgain(type: string, webhook: string): boolean {
  return webhook.endsWith('.*') && webhook !== type;
}

/** The name under which webhooks carry events of a type; null when it is internal or unknown. */
export function webhookName(type: string): string | null {
  const definition = findDefinition(type);
  const name = definition?.webhook ?? null;
  if (definition === undefined || !name?.endsWith('.*')) return name;
  const ending = type.slice(definition.type.length - 1);
  const isOwnName = isToldAgain(definition.type, name) && webhookNames.includes(ending);
  return isOwnName ? ending : `${name.slice(0, -1)}${ending}`;
}

export type { EventDefinition, EventSource, Listeners } from './define';
