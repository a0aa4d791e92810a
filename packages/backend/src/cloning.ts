import type { CollectionIndexes, Connection, Declared } from '@laurel/mongo';
import type { clone, Handlers } from '@laurel/rpc';

/** One call copies for so long, well within the patience of who asks. */
const TURN_MS = 2_000;

/** How a service takes part in cloning a workspace: collection by collection, as each declares (docs/adr/0042). */
export function cloneHandlers(
  connection: Connection,
  kept: readonly CollectionIndexes[],
): Handlers<'clone'> {
  const collections = kept.filter(isDeclared);

  return {
    async Survey({ workspace_id, named }) {
      const all = { ids: new Set<string>(), mentions: new Set<string>() };
      for (const each of collections) {
        const { ids, mentions } = await each.surveyForClone(connection, workspace_id, named);
        for (const id of ids) all.ids.add(id);
        for (const id of mentions) all.mentions.add(id);
      }
      return { ids: [...all.ids], mentions: [...all.mentions] };
    },

    async Copy(request) {
      const endsAt = Date.now() + TURN_MS;
      const order = orderOf(request);
      for (const each of collections) {
        const { done } = await each.copyToClone(connection, order, () => Date.now() > endsAt);
        if (!done) return { done };
      }
      return { done: true };
    },
  };
}

const orderOf = ({ source_id, clone_id, ids, renamed }: clone.CopyRequest) => ({
  source: source_id,
  clone: clone_id,
  ids: new Set(ids),
  renamed: new Map(renamed.map(({ from, to }) => [from, to])),
});

const isDeclared = (collection: CollectionIndexes): collection is Declared =>
  'copyToClone' in collection;
