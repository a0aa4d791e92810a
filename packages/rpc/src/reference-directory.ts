import { platform } from '@laurel/errors';
import type { common } from './generated';

/** What of one service the rows of another can name. */
export type ReferableKind =
  | 'wallet_type'
  | 'reward'
  | 'tier'
  | 'segment'
  | 'pass_template'
  | 'webhook'
  | 'distribution';

/** Who names what a service is about to delete. */
export interface ReferenceDirectory {
  /** Everything in use that names one of these things; SERVICE_UNAVAILABLE while that is not known. */
  find(
    workspaceId: string,
    kind: ReferableKind,
    ids: readonly string[],
  ): Promise<common.Reference[]>;
  /**
   * Refuses with CONFLICT and `used_by: [{ type, id, name }]` while anything in use names one of these things (part 4,
   * section 6). `ids` are the codes of wallet types, ids of all else.
   */
  requireUnreferenced(
    workspaceId: string,
    kind: ReferableKind,
    ids: readonly string[],
  ): Promise<void>;
}

/** A service that names things of others. */
export interface ReferenceHolder {
  FindReferences(request: common.ReferencesRequest): Promise<common.ReferenceList>;
}

type HolderName = 'automations' | 'campaigns' | 'clients' | 'referrals' | 'tiers';

/** Who may name a thing, besides the service that keeps it (docs/adr/0015). */
const HOLDERS: Readonly<Record<ReferableKind, readonly HolderName[]>> = {
  wallet_type: ['automations', 'clients'],
  reward: ['automations', 'campaigns'],
  tier: ['automations', 'campaigns', 'clients'],
  segment: ['automations', 'campaigns'],
  pass_template: ['automations', 'campaigns', 'clients', 'tiers'],
  webhook: ['automations'],
  distribution: ['referrals'],
};
const NAMED_MAX = 3;
/** More would not fit into a refusal (packages/errors). */
const LISTED_MAX = 50;

/** Asks those who may name what is deleted, and none whose absence would be no reason to wait. */
export function referenceDirectory(
  holders: Partial<Record<HolderName, ReferenceHolder>>,
): ReferenceDirectory {
  const ask = (name: HolderName, request: common.ReferencesRequest) => {
    const holder = holders[name];
    if (!holder) throw new Error(`nobody made known how ${name} is asked for references`);
    return holder.FindReferences(request);
  };
  const find: ReferenceDirectory['find'] = async (workspaceId, kind, ids) => {
    if (ids.length === 0) return [];
    const request = { workspace_id: workspaceId, kind, ids: [...ids] };
    const replies = await Promise.all(HOLDERS[kind].map((name) => ask(name, request)));
    return replies.flatMap(({ references }) => references);
  };
  return {
    find,
    async requireUnreferenced(workspaceId, kind, ids) {
      const references = await find(workspaceId, kind, ids);
      if (references.length > 0) throw referenced(kind, references);
    },
  };
}

/** The refusal to delete what these rows name; for a service that finds some of them in its own store. */
export function referenced(kind: ReferableKind, references: readonly common.Reference[]) {
  const named = references.slice(0, NAMED_MAX).map(({ type, name }) => `${worded(type)} "${name}"`);
  const more = references.length - named.length;
  const list = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return platform.conflict({
    message: `the ${worded(kind)} is used by ${list}`,
    extensions: {
      used_by: references.slice(0, LISTED_MAX).map(({ type, id, name }) => ({ type, id, name })),
    },
  });
}

const worded = (word: string): string => word.replaceAll('_', ' ');
