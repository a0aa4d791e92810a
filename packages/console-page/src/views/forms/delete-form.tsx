import type { Distribution } from '@laurel/client';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useChange } from '../../parts/change';
import { DeleteButton } from '../../parts/delete-button';
import { useGo } from '../../parts/go';
import { Refused } from '../../parts/refused';

/** Deletes a form; the cards that it gave out stay. */
export function DeleteForm({ form }: { form: Distribution }): ReactNode {
  const { laurel, language } = useConsole();
  const go = useGo({ ignoreBlocker: true });
  const remove = useChange((_: null, options) => laurel.distributions.delete(form.id, options), {
    forgets: ['forms', 'overview'],
    onDone: () => go('/forms'),
  });
  return (
    <div className="stack">
      <Refused error={remove.refused} />
      <DeleteButton ask={language.say('form.delete.ask', { name: form.name })} wish={remove} />
    </div>
  );
}
