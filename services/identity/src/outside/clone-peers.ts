import { type CopyOrder, mentionsIn } from '@laurel/mongo';
import type { RpcClient } from '@laurel/rpc';

export interface ClonePeer {
  service: string;
  client: Pick<RpcClient<'clone'>, 'Survey' | 'Copy'>;
}

/** Every service behind the gateway, as far as clones of workspaces need them (docs/adr/0042). */
export interface ClonePeers {
  /** The ids of everything that a clone gets. `besides` names things as well. */
  survey(workspaceId: string, besides: unknown): Promise<ReadonlySet<string>>;
  /** Copies everything, rules last; false where it was to stop before it was done. Repeating it is harmless. */
  copy(order: CopyOrder, part: ClonePart, isStopping: () => boolean): Promise<boolean>;
}

/** Rules come when nothing is left to happen that they would pay for. */
export type ClonePart = 'all but rules' | 'rules';

const RULES = 'automations';

export function createClonePeers(peers: readonly ClonePeer[]): ClonePeers {
  async function ask(workspaceId: string, named: readonly string[]) {
    const asked = { workspace_id: workspaceId, named: [...named] };
    return Promise.all(peers.map(({ client }) => client.Survey(asked)));
  }

  return {
    async survey(workspaceId, besides) {
      const first = await ask(workspaceId, []);
      const mentions = mentionsIn(besides);
      for (const { mentions: some } of first) for (const id of some) mentions.add(id);
      // What is copied only where it is named is known when all that may name it is.
      const second = await ask(workspaceId, [...mentions]);
      return new Set(second.flatMap(({ ids }) => ids));
    },

    async copy({ source, clone, ids, renamed }, part, isStopping) {
      const asked = {
        source_id: source,
        clone_id: clone,
        ids: [...ids],
        renamed: [...renamed].map(([from, to]) => ({ from, to })),
      };
      const these = peers.filter(({ service }) => (service === RULES) === (part === 'rules'));
      for (const { client } of these)
        for (let done = false; !done; ) {
          if (isStopping()) return false;
          ({ done } = await client.Copy(asked));
        }
      return true;
    },
  };
}
