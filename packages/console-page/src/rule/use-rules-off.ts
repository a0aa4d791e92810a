import { useConsole } from '../console';
import { useAsk } from '../parts/ask';
import { rulesOffNaming } from './rules-naming';

/**
 * Which rules that are off name a thing, to be said before it is deleted; empty where none does. A rule that is on keeps it from
 * being deleted; these do not (docs/adr/0015), and could not be switched on any more as they are.
 *
 * @param id undefined where the thing is not saved yet
 */
export function useRulesOff(id: string | undefined): string {
  const { say } = useConsole().language;
  const rules = useAsk(['rules'], (laurel) => laurel.automations.list(), {
    isWanted: id !== undefined,
  });
  const naming = id === undefined ? [] : rulesOffNaming(rules.data ?? [], id);
  const names = naming.map(({ name }) => name).join(', ');
  return naming.length === 0 ? '' : say('delete.rulesOff', { count: naming.length, names });
}
