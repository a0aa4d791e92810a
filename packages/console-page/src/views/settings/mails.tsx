import type { ShopMail } from '@laurel/client';
import { LANGUAGES } from '@laurel/contract';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { languageName } from '../../language';
import { useAsk } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { Editing, readSeen, useHold } from '../../parts/editing';
import { useSearch } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Panel } from '../../parts/page';
import { Refused } from '../../parts/refused';
import { troubleOf } from '../../refusals';
import { MailForm } from './mail-form';

/** The mails that go out in the shop's name: where answers go, what they say, how they look. */
export function Mails(): ReactNode {
  const { laurel, language, settings, permissions } = useConsole();
  const { say } = language;
  const [search, change] = useSearch();
  const usual = settings.default_locale.split(/[-_]/)[0]!.toLowerCase();
  const spoken = LANGUAGES.find((code) => code === (search.language ?? usual)) ?? 'en';
  const mails = useAsk(['mails', spoken], () => laurel.mails.list({ language: spoken }));
  const mayEdit = permissions.has('manage_settings');
  return (
    <>
      {!mayEdit && <Notice>{say('adminOnly')}</Notice>}
      {mayEdit && <ReplyTo />}
      <Loaded query={mails} lines={10}>
        {(found) => {
          const mail = found.find(({ kind }) => kind === search.mail) ?? found[0]!;
          return (
            <>
              <div className="row row-end">
                <NativeSelect
                  className="grow"
                  label={say('mails.which')}
                  value={mail.kind}
                  onChange={(event) => change({ mail: event.currentTarget.value })}
                  data={found.map(({ kind, is_own }) => ({
                    value: kind,
                    label: title(kind, is_own),
                  }))}
                />
                <NativeSelect
                  label={say('mails.language')}
                  value={spoken}
                  onChange={(event) => change({ language: event.currentTarget.value })}
                  data={LANGUAGES.map((value) => ({ value, label: languageName(value) }))}
                />
              </div>
              <OneMail key={`${mail.kind} ${mail.language}`} mail={mail} mayEdit={mayEdit} />
            </>
          );
        }}
      </Loaded>
    </>
  );

  function title(kind: ShopMail['kind'], isOwn: boolean): string {
    return isOwn ? `${say(`mail.${kind}`)} – ${say('mails.own')}` : say(`mail.${kind}`);
  }
}

/** The mail that was chosen, with the version of its words: somebody else may write at the same time. */
function OneMail({
  mail: { kind, language },
  mayEdit,
}: {
  mail: Pick<ShopMail, 'kind' | 'language'>;
  mayEdit: boolean;
}): ReactNode {
  const { laurel } = useConsole();
  const mail = useAsk(['mails', kind, language], () => readSeen(laurel.mails.get(kind, language)));
  return (
    <Loaded query={mail} lines={10}>
      {() => <Editing query={mail}>{(row) => <MailForm mail={row} mayEdit={mayEdit} />}</Editing>}
    </Loaded>
  );
}

/** Asked once, for every mail. */
function ReplyTo(): ReactNode {
  const { laurel } = useConsole();
  const settings = useAsk(['settings'], () => readSeen(laurel.workspaces.getSettings()));
  return (
    <Loaded query={settings} lines={2}>
      {() => (
        <Editing query={settings}>
          {({ reply_to }) => <ReplyToForm key={reply_to} kept={reply_to ?? ''} />}
        </Editing>
      )}
    </Loaded>
  );
}

function ReplyToForm({ kept }: { kept: string }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const [address, setAddress] = useState(kept);
  useHold(address !== kept);
  const wish = useChange(
    (reply_to: string | null, options) => laurel.workspaces.updateSettings({ reply_to }, options),
    { forgets: ['settings', 'mail-preview'], says: () => say('saved') },
  );
  const trouble = troubleOf(wish.refused, 'reply_to');
  const send = () => void wish.send(address.trim() || null);
  return (
    <Panel>
      <form
        className="row row-end"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <TextInput
          className="grow"
          type="email"
          label={say('settings.reply_to')}
          description={say('settings.reply_to.hint')}
          value={address}
          error={trouble}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={wish.isBusy} disabled={address === kept}>
          {say('save')}
        </Button>
      </form>
      {!trouble && <Refused error={wish.refused} onAgain={send} />}
    </Panel>
  );
}
