import type { CallOptions, Laurel } from '@laurel/client';
import type { Body } from './body';

export type KindName =
  | 'settings'
  | 'portal'
  | 'brand'
  | 'data_model'
  | 'wallet_types'
  | 'projects'
  | 'tier_set'
  | 'tiers'
  | 'pass_templates'
  | 'distributions'
  | 'referral'
  | 'segments'
  | 'rewards'
  | 'webhooks'
  | 'campaigns'
  | 'rules';

interface Change {
  id: string;
  body: never;
  options: CallOptions;
}

interface Read {
  data: object | null;
  response: Response;
}

/** One kind of configuration: what files say of it, and how the platform is asked. */
export interface Kind {
  /** What one of them is called in words. */
  noun: string;
  /** What tells one from another; null where a workspace has one. Files name it by their key where it is a code. */
  identity: string | null;
  /** Whether the identity is the key itself. */
  isCode?: true;
  /** Whether it bears the key that files give it, so that its identity may change. */
  isKeyed?: true;
  /** What files may say, under the names of the API. What they do not say belongs to the console. */
  fields: readonly string[];
  /** What is so unless a file says otherwise; files that are pulled leave it out, and everything empty. */
  usual?: Body;
  /** What has to be said even where it is empty. */
  needed?: readonly string[];
  list(laurel: Laurel): Promise<Body[]>;
  create(laurel: Laurel, body: never, options: { idempotencyKey: string }): Promise<unknown>;
  update(laurel: Laurel, change: Change): Promise<unknown>;
  /** Where there may be none: what others use is refused. */
  remove?(laurel: Laurel, id: string, options: CallOptions): Promise<unknown>;
  /** One of them, with the tag of its version; where there are none, a change goes by what was listed. */
  read?(laurel: Laurel, id: string): { withResponse(): Promise<Read> };
  /** What of it stands elsewhere. */
  readBeside?(laurel: Laurel, id: string): Promise<Body>;
  /** The secret that is shown once, when one of it is made. */
  secret?: {
    isWith(body: Body): boolean;
    of(laurel: Laurel, made: Body): Promise<string>;
  };
}

/** A list as files are compared with it. */
export const rows = async (listed: PromiseLike<readonly object[]>): Promise<Body[]> =>
  (await listed) as Body[];

/** What a workspace has one of, or none. */
export const single = async (read: PromiseLike<object | null>): Promise<Body[]> => {
  const row = await read;
  return row ? [row as Body] : [];
};
