import type { PassTemplate } from '@laurel/client';
import { Button, NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { DangerButton } from '../../parts/danger-button';
import { DeleteButton } from '../../parts/delete-button';
import { useGo } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Refused } from '../../parts/refused';
import { Sheet } from '../../parts/sheet';
import { useRulesOff } from '../../rule/use-rules-off';

/** Deletes a card: one that customers have only together with the choice of another one for them. */
export function DeleteCard({ card }: { card: PassTemplate }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const go = useGo({ ignoreBlocker: true });
  const [isMoving, setMoving] = useState(false);
  const rulesOff = useRulesOff(card.id);
  const remove = useChange((_: null, options) => laurel.passTemplates.delete(card.id, options), {
    forgets: ['pass-templates', 'names', 'overview'],
    onDone: () => go('/cards'),
  });
  if (card.statistics.passes === 0)
    return (
      <div className="stack">
        <Refused error={remove.refused} />
        <DeleteButton
          ask={say('card.delete.ask', { name: card.name })}
          also={rulesOff}
          wish={remove}
        />
      </div>
    );
  return (
    <div>
      <Button variant="default" className="danger" onClick={() => setMoving(true)}>
        {say('delete')}
      </Button>
      {isMoving && <MoveAndDelete card={card} onClose={() => setMoving(false)} />}
    </div>
  );
}

/** Which card those who have this one get instead. */
function MoveAndDelete({ card, onClose }: { card: PassTemplate; onClose: () => void }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const go = useGo({ ignoreBlocker: true });
  const cards = useAsk(['pass-templates'], () => laurel.passTemplates.list());
  const [chosen, setChosen] = useState('');
  const rulesOff = useRulesOff(card.id);
  const { passes } = card.statistics;
  const move = useChange(
    (target_template_id: string, options) =>
      laurel.passTemplates.migrateAndDelete(card.id, { target_template_id }, options),
    { forgets: ['pass-templates', 'forms', 'names', 'overview'], onDone: () => go('/cards') },
  );
  return (
    <Sheet title={say('card.delete.title', { name: card.name })} onClose={onClose}>
      <Loaded query={cards}>
        {(all) => {
          const others = all.filter(({ id }) => id !== card.id);
          const target = others.find(({ id }) => id === chosen) ?? others[0];
          if (!target) return <p>{say('card.delete.noOther', { count: passes })}</p>;
          return (
            <div className="stack">
              <p>{say('card.delete.text', { count: passes })}</p>
              <NativeSelect
                label={say('card.delete.target')}
                value={target.id}
                onChange={(event) => setChosen(event.currentTarget.value)}
                data={others.map(({ id, name }) => ({ value: id, label: name }))}
              />
              <Refused error={move.refused} />
              <DangerButton
                ask={say('card.delete.ask', { name: card.name })}
                also={rulesOff}
                isBusy={move.isBusy}
                onDo={() => void move.send(target.id)}
              >
                {say('card.delete.move')}
              </DangerButton>
            </div>
          );
        }}
      </Loaded>
    </Sheet>
  );
}
