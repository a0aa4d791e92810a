import type { Call } from './call';
import { TABLE } from './generated/operations';
import type { Resources } from './generated/resources';
import { type CallOptions, Http, type LaurelOptions, type Operation } from './http';
import { type Page, PageCall } from './pages';
import { follow } from './streams';

type Method = (...given: unknown[]) => unknown;

/**
 * Everything that a Laurel platform can do, by group: `laurel.points.earn({ client_id, amount: 12.5 })`. The ids of a path
 * come first, then one object for body or query, then options. Refusals are thrown as LaurelError.
 */
export interface Laurel extends Resources {}
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the groups are made of the table, their types of the document
export class Laurel {
  constructor(options: LaurelOptions) {
    const http = new Http(options);
    for (const [group, operations] of Object.entries(TABLE)) {
      let made: Record<string, Method> | undefined;
      const get = () => {
        made ??= Object.fromEntries(
          Object.entries(operations).map(([verb, operation]) => [
            verb,
            methodOf(http, `${group}.${verb}`, operation),
          ]),
        );
        return made;
      };
      Object.defineProperty(this, group, { enumerable: true, get });
    }
  }
}

function methodOf(http: Http, name: string, operation: Operation): Method {
  const [, path, flags] = operation;
  const ask = (given: readonly unknown[]): Call<unknown> => {
    const answer = http.ask(name, operation, given);
    const result = answer.then(({ data }) => data);
    return Object.assign(result, { withResponse: () => result.then(() => answer) });
  };
  if (!/[le]/.test(flags)) return (...given) => ask(given);
  const ids = [...path.matchAll(/\{(?!workspaceId)/g)].length;
  const goesOnBy = flags.includes('c') ? 'cursor' : flags.includes('o') ? 'offset' : undefined;
  return (...given) => {
    const [query, options] = given.slice(ids) as [object?, CallOptions?];
    const put = (changed: object) => [...given.slice(0, ids), changed, options];
    if (flags.includes('e'))
      return follow(
        (changed) => http.call(name, operation, put(changed)),
        { ...query },
        options?.signal,
      );
    const load = (changed: object) => ask(put(changed)) as Promise<unknown>;
    return new PageCall(
      load as (changed: object) => Promise<Page<unknown>>,
      { ...query },
      goesOnBy,
    );
  };
}
