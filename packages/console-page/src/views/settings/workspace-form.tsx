import type { Laurel, WorkspaceSettings } from '@laurel/client';
import { NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useConsole } from '../../console';
import { LANGUAGES, languageName } from '../../language';
import { useAsk } from '../../parts/ask';
import { Editing, readSeen, type Seen, useEdit } from '../../parts/editing';
import { Loaded } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { Notice } from '../../parts/notice';
import { Panel } from '../../parts/page';
import { SaveBar } from '../../parts/save-bar';
import { useWish } from '../../parts/wish';
import { troubleOf } from '../../refusals';

/** Name, language, money and clock of the workspace. */
export function WorkspaceForm(): ReactNode {
  const { laurel } = useConsole();
  const settings = useAsk(['settings', 'named'], () => readNamed(laurel));
  return (
    <Loaded query={settings}>
      {() => (
        <>
          <Managed kind="settings" name="settings" />
          <Editing query={settings}>{(row) => <SettingsForm settings={row} />}</Editing>
        </>
      )}
    </Loaded>
  );
}

interface Named extends WorkspaceSettings {
  name: string;
}

/** Settings with the name of the workspace, which is of their version; read after it, so that it is never an older one. */
async function readNamed(laurel: Laurel): Promise<Seen<Named>> {
  const settings = await readSeen(laurel.workspaces.getSettings());
  const { name } = await laurel.workspaces.get();
  return { ...settings, name };
}

function SettingsForm({ settings }: { settings: Named }): ReactNode {
  const { laurel, language, permissions } = useConsole();
  const { say } = language;
  const mayEdit = permissions.has('manage_settings');
  const edit = useEdit()!;
  const first = {
    name: settings.name,
    default_locale: settings.default_locale,
    default_currency: settings.default_currency,
    timezone: settings.timezone,
  };
  const [draft, setDraft] = useState(first);
  const [isSaved, setSaved] = useState(false);
  const wish = useWish(
    async ({ name, ...rest }: typeof first, { idempotencyKey }): Promise<void> => {
      // Refused for somebody else's change, these leave the name as it is, too.
      await edit.change((seen) =>
        laurel.workspaces.updateSettings(rest, { idempotencyKey, ...seen }),
      );
      if (name === first.name) return;
      await edit.change((seen) =>
        laurel.workspaces.update({ name }, { idempotencyKey: `${idempotencyKey}-name`, ...seen }),
      );
    },
    () => setSaved(true),
  );
  // Every figure and every day on every page is written by these.
  useEffect(() => {
    if (isSaved) location.reload();
  }, [isSaved]);
  const set = (by: Partial<typeof first>) => setDraft({ ...draft, ...by });
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      {!mayEdit && <Notice>{say('adminOnly')}</Notice>}
      <Panel>
        {/* Saved, the page begins anew: what is typed meanwhile would go with it. */}
        <fieldset className="plain stack" disabled={!mayEdit || wish.isBusy}>
          <TextInput
            label={say('settings.name')}
            required
            value={draft.name}
            error={troubleOf(wish.refused, 'name')}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <NativeSelect
            label={say('settings.locale')}
            value={draft.default_locale}
            error={troubleOf(wish.refused, 'default_locale')}
            onChange={(event) => set({ default_locale: event.currentTarget.value })}
            data={[...new Set([...LANGUAGES.spoken, first.default_locale])].map((value) => ({
              value,
              label: languageName(value),
            }))}
          />
          <NativeSelect
            label={say('settings.currency')}
            value={draft.default_currency}
            error={troubleOf(wish.refused, 'default_currency')}
            onChange={(event) => set({ default_currency: event.currentTarget.value })}
            data={[...new Set([first.default_currency, ...Intl.supportedValuesOf('currency')])]}
          />
          <NativeSelect
            label={say('settings.timezone')}
            value={draft.timezone}
            error={troubleOf(wish.refused, 'timezone')}
            onChange={(event) => set({ timezone: event.currentTarget.value })}
            data={[...new Set([first.timezone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          />
        </fieldset>
      </Panel>
      {mayEdit && (
        <SaveBar
          isDirty={!isSaved && JSON.stringify(draft) !== JSON.stringify(first)}
          wish={wish}
          fields={Object.keys(first)}
          onSave={() => void wish.send(draft)}
          onReset={() => setDraft(first)}
        />
      )}
    </form>
  );
}
