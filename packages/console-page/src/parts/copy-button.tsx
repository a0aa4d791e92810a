import type { ReactNode } from 'react';
import { useConsole } from '../console';
import { useForget } from './ask';
import { Trouble } from './loaded';
import { useToast } from './toast';
import { useWish } from './wish';

/** Makes a copy of something in a list; the copy is switched off. */
export function CopyButton({
  name,
  list,
  copy,
}: {
  name: string;
  /** What is asked for again then. */
  list: string;
  copy: (options: { idempotencyKey: string }) => PromiseLike<{ name: string }>;
}): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const toast = useToast();
  const wish = useWish(
    (_nothing: null, options) => copy(options),
    (made) => {
      forget(list, 'names');
      toast({ text: say('duplicated', { name: made.name }) });
    },
  );
  return (
    <>
      <button
        type="button"
        className="text-button"
        disabled={wish.isBusy}
        aria-label={say('duplicate.named', { name })}
        onClick={() => void wish.send(null)}
      >
        {say('duplicate')}
      </button>
      {wish.refused !== null && <Trouble error={wish.refused} />}
    </>
  );
}
