import type { ShopMail } from '@laurel/client';
import { MAIL_WORDS, type MailWord } from '@laurel/contract';
import { Button, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useConsole } from '../../console';
import type { WordKey } from '../../language';
import { useChange } from '../../parts/change';
import { useDraft } from '../../parts/draft';
import { Panel } from '../../parts/page';
import { Refused } from '../../parts/refused';
import { SaveBar } from '../../parts/save-bar';
import { troubleOf } from '../../refusals';
import { MailPreview } from './mail-preview';
import type { Words } from './mail-words';

const wordsOf = ({ subject, text, button }: Words): Words => ({ subject, text, button });

/** The words of one mail, what may be put in, and beside them how it would arrive. */
export function MailForm({ mail, mayEdit }: { mail: ShopMail; mayEdit: boolean }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const kept = wordsOf(mail);
  const hasButton = mail.default_words.button !== null;
  const { draft, set, drop, settle } = useDraft<Words>();
  const whole = { ...kept, ...draft };
  const after = (word: WordKey) => ({
    forgets: ['mails'],
    says: () => say(word),
    settles: (sent: Words | null) => (sent ? settle(sent) : drop()),
  });
  const wish = useChange(
    (words: Words, options) => laurel.mails.set(mail.kind, mail.language, words, options),
    after('mails.saved'),
  );
  const reset = useChange(
    (_nothing: null, options) => laurel.mails.delete(mail.kind, mail.language, options),
    after('mails.isUsual'),
  );
  const trouble = (field: MailWord) => troubleOf(wish.refused, field);
  const isDirty = MAIL_WORDS.some((name) => whole[name] !== kept[name]);
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <div className="with-aside mail-words">
        <Panel>
          <TextInput
            label={say('mails.subject')}
            value={whole.subject}
            disabled={!mayEdit}
            error={trouble('subject')}
            onChange={(event) => set({ subject: event.currentTarget.value })}
          />
          <Body mail={mail} text={whole.text} {...{ mayEdit, set }} error={trouble('text')} />
          {hasButton && (
            <TextInput
              label={say('mails.button')}
              value={whole.button ?? ''}
              disabled={!mayEdit}
              error={trouble('button')}
              onChange={(event) => set({ button: event.currentTarget.value })}
            />
          )}
          {mail.is_own && mayEdit && (
            <div className="stack">
              <Refused error={reset.refused} />
              <Button
                variant="default"
                loading={reset.isBusy}
                onClick={() => void reset.send(null)}
              >
                {say('mails.usual')}
              </Button>
            </div>
          )}
        </Panel>
        <aside aria-label={say('mails.preview')}>
          <MailPreview mail={mail} words={whole} />
        </aside>
      </div>
      {mayEdit && (
        <SaveBar
          isDirty={isDirty}
          wish={wish}
          fields={MAIL_WORDS.filter((name) => name !== 'button' || hasButton)}
          onSave={() => void wish.send(whole)}
          onReset={drop}
        />
      )}
    </form>
  );
}

/** The text, and buttons that put in what differs from mail to mail where one writes. */
function Body({
  mail,
  text,
  mayEdit,
  error,
  set,
}: {
  mail: ShopMail;
  text: string;
  mayEdit: boolean;
  error: string | undefined;
  set: (by: Partial<Words>) => void;
}): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const area = useRef<HTMLTextAreaElement>(null);
  const putIn = (name: string) => {
    const at = area.current?.selectionEnd ?? text.length;
    set({ text: `${text.slice(0, at)}{{${name}}}${text.slice(at)}` });
    area.current?.focus();
  };
  return (
    <>
      <Textarea
        ref={area}
        label={say('mails.text')}
        description={say('mails.text.hint')}
        autosize={false}
        rows={8}
        value={text}
        disabled={!mayEdit}
        error={error}
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
      {mayEdit && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame around four buttons
        <div className="row" role="group" aria-label={say('mails.put')}>
          <span className="hint">{say('mails.put')}</span>
          {mail.placeholders.map(({ name }) => (
            <button key={name} type="button" className="quiet-button" onClick={() => putIn(name)}>
              {say(`mails.put.${name}` as WordKey)}
            </button>
          ))}
        </div>
      )}
    </>
  );
}
