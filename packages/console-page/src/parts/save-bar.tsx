import { Button } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { unsaidBy } from '../refusals';
import { useText } from '../text';
import { useAskedLeave } from './asked-leave';
import { useHold } from './editing';
import { focusWrong } from './focus-wrong';
import { holdsNoNumber, TAKEN_BACK } from './no-number';
import { Refused } from './refused';
import type { Wish } from './wish';

interface SaveBarProps {
  isDirty: boolean;
  wish: Pick<Wish<never>, 'isBusy' | 'refused' | 'forget'>;
  /** Fields that stand there by now and show their own trouble, so that it is not said twice; what is wrong elsewhere is said here. */
  fields?: readonly string[];
  onSave: () => void;
  onReset?: () => void;
  label?: string;
  /** Whom the change touches. */
  note?: ReactNode;
}

/** Below a form: saves (Ctrl S too), takes changes back, and asks before they are left behind. */
export function SaveBar({
  isDirty,
  wish: { isBusy, refused, forget },
  fields = [],
  onSave,
  onReset,
  label,
  note,
}: SaveBarProps): ReactNode {
  const { say } = useText();
  const isNew = useRouterState({ select: ({ location }) => location.pathname.endsWith('/new') });
  useAskedLeave(isDirty, isBusy);
  const bar = useRef<HTMLDivElement>(null);
  const formAround = () => bar.current?.closest('form');
  const save = () => {
    if (!holdsNoNumber(formAround())) onSave();
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      if (isDirty && !isBusy) save();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
  useHold(isDirty);
  const takeBack = () => {
    // What was refused is not there any more.
    forget();
    onReset?.();
    formAround()?.dispatchEvent(new Event(TAKEN_BACK));
  };
  const unsaid = unsaidBy(fields, refused);
  useEffect(() => {
    if (unsaid !== refused) focusWrong(formAround());
  }, [refused]);
  return (
    <div className="save-bar" ref={bar}>
      <Refused error={unsaid} onAgain={isDirty ? save : undefined} />
      <div className="row">
        <Button onClick={save} loading={isBusy} disabled={!isDirty}>
          {label ?? say('save')}
        </Button>
        {onReset && isDirty && (
          <Button variant="default" onClick={takeBack} disabled={isBusy}>
            {say('reset')}
          </Button>
        )}
        <span className="hint">
          {isDirty ? (note ?? say('unsaved')) : isNew ? '' : say('saved')}
        </span>
      </div>
    </div>
  );
}
