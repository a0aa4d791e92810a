const NAME = 'laurel-console-workspace';

type Kept = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * The workspace that was open last: in this tab, since another tab may be at another one; in a new tab that of the browser.
 * A browser that keeps nothing for pages throws where others would read nothing.
 */
export function createKeptWorkspace(
  stores: () => readonly Kept[] = () => [sessionStorage, localStorage],
) {
  const tried = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch {
      return null;
    }
  };
  return {
    read: (): string | null =>
      tried(() =>
        stores().reduce<string | null>((found, kept) => found ?? kept.getItem(NAME), null),
      ),
    /** Chosen by a member, for tabs to come as well. */
    choose: (id: string): void =>
      void tried(() => {
        for (const kept of stores()) kept.setItem(NAME, id);
      }),
    /** Open in this tab. */
    open: (id: string): void => void tried(() => stores()[0]?.setItem(NAME, id)),
  };
}
