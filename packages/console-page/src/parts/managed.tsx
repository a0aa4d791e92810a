import type { ReactNode } from 'react';
import { useConsole } from '../console';
import { useAsk } from './ask';
import { Notice } from './notice';

/** What files may say of a workspace, as the platform names it. */
type Kind =
  | 'settings'
  | 'portal'
  | 'brand'
  | 'data_model'
  | 'wallet_types'
  | 'tier_set'
  | 'tiers'
  | 'pass_templates'
  | 'distributions'
  | 'segments'
  | 'rewards'
  | 'webhooks'
  | 'campaigns'
  | 'rules';

interface Thing {
  kind: Kind;
  /** What files call it; of a wallet type its code, of a field its name. */
  name: string | null | undefined;
}

/** The programme whose files say how a thing is; null where none does, or while it is unknown. */
function useProgramme({ kind, name }: Thing): string | null {
  const programmes = useAsk(['programmes'], (laurel) => laurel.programmes.list(), {
    isWanted: Boolean(name),
  });
  const found = programmes.data?.find(({ managed }) =>
    managed.some((one) => one.kind === kind && one.key === name),
  );
  return name && found ? found.name : null;
}

/** Tells a member who is about to change a thing by hand that its files would have it otherwise. */
export function Managed(thing: Thing): ReactNode {
  const { say } = useConsole().language;
  const programme = useProgramme(thing);
  return programme && <Notice kind="warn">{say('managed', { programme })}</Notice>;
}

/** The same, briefly, where things stand in a list; in words that break, as columns are narrow on a phone. */
export function ManagedMark(thing: Thing): ReactNode {
  const { say } = useConsole().language;
  const programme = useProgramme(thing);
  return programme && <small className="hint">{say('managed.by', { programme })}</small>;
}
