import { PasswordInput, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useChange } from '../../parts/change';
import { DangerButton } from '../../parts/danger-button';
import { useDraft } from '../../parts/draft';
import { useGo } from '../../parts/go';
import { Panel } from '../../parts/page';
import { Refused } from '../../parts/refused';
import { SaveBar } from '../../parts/save-bar';
import { troubleOf } from '../../refusals';
import {
  FIRST_MAPPING,
  formOfProvider,
  type KnownIntegration,
  MAPPED,
  type Mapping,
  readTyped,
  typedOf,
} from './providers';

interface Typed {
  enabled_inbound: boolean;
  enabled_outbound: boolean;
  typed: Record<string, string>;
  secrets: Record<string, string>;
  mapping: Mapping;
}

/** How a shop system is reached, and where things stand in what it sends. */
export function IntegrationForm({
  integration: row,
  onAddress,
}: {
  integration: KnownIntegration;
  /** With the whole address of an inbox, which is shown once. */
  onAddress: (address: string | null) => void;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const go = useGo({ ignoreBlocker: true });
  const { provider } = row;
  const form = formOfProvider(provider);
  // What a new one starts from is worth saving as it is.
  const first: Partial<Typed> =
    row.id === null && form.isMapped ? { enabled_inbound: true, mapping: FIRST_MAPPING } : {};
  const { draft, isDirty, set, settle, drop } = useDraft(first);
  const mapping: Mapping = { ...(row.config.mapping as Mapping | undefined), ...draft.mapping };
  const forgets = ['integrations', 'overview'];
  const save = useChange(
    (sent: Partial<Typed>, options) =>
      laurel.integrations.set(provider, bodyOf(sent, { ...form, mapping }), options),
    {
      forgets,
      says: ({ save_warning }) => save_warning ?? say('integration.saved'),
      settles: settle,
      onDone({ data, token }) {
        if (token) onAddress(data.inbox_ingest_url);
      },
    },
  );
  const remove = useChange((_: null, options) => laurel.integrations.delete(provider, options), {
    forgets,
    onDone: () => go('/connections', { tab: 'integrations' }),
  });
  const trouble = (field: string) => troubleOf(save.refused, field);
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <Panel>
        {form.does.map((name) => (
          <Switch
            key={name}
            label={say(`integration.${name}`)}
            checked={draft[name] ?? row[name]}
            error={trouble(name)}
            onChange={(event) => set({ [name]: event.currentTarget.checked })}
          />
        ))}
        {form.config.map((field) => (
          <TextInput
            key={field.name}
            label={say(`integration.${field.name}`)}
            type={field.kind === 'text' ? 'url' : 'text'}
            value={draft.typed?.[field.name] ?? typedOf(row.config, field)}
            error={trouble(`config.${field.name}`)}
            onChange={(event) =>
              set({ typed: { ...draft.typed, [field.name]: event.currentTarget.value } })
            }
          />
        ))}
        {form.secrets.map((name) => (
          <PasswordInput
            key={name}
            label={say(`integration.${name}`)}
            autoComplete="off"
            description={
              row.secrets_meta[name] &&
              say('integration.kept', { last4: row.secrets_meta[name].last4 })
            }
            value={draft.secrets?.[name] ?? ''}
            error={trouble(`secrets.${name}`)}
            onChange={(event) =>
              set({ secrets: { ...draft.secrets, [name]: event.currentTarget.value } })
            }
          />
        ))}
      </Panel>
      {form.isMapped && (
        <Panel title={say('integration.mapping')}>
          <p className="hint">{say('integration.mapping.text')}</p>
          {MAPPED.map((name) => (
            <TextInput
              key={name}
              label={say(`mapping.${name}`)}
              spellCheck={false}
              value={mapping[name] ?? ''}
              error={trouble(`config.mapping.${name}`)}
              onChange={(event) =>
                set({ mapping: { ...draft.mapping, [name]: event.currentTarget.value } })
              }
            />
          ))}
        </Panel>
      )}
      <SaveBar
        isDirty={isDirty}
        wish={save}
        fields={fieldsOf(form)}
        onSave={() => void save.send(draft)}
        onReset={() => {
          drop();
          set(first);
        }}
      />
      {row.id !== null && (
        <div className="stack">
          <Refused error={remove.refused} />
          <DangerButton
            ask={say('integration.delete.ask')}
            isBusy={remove.isBusy}
            onDo={() => void remove.send(null)}
          >
            {say('delete')}
          </DangerButton>
        </div>
      )}
    </form>
  );
}

type Form = ReturnType<typeof formOfProvider>;

/** The fields of the form that say themselves what is wrong with them. */
const fieldsOf = ({ does, config, secrets, isMapped }: Form): string[] => [
  ...does,
  ...config.map(({ name }) => `config.${name}`),
  ...secrets.map((name) => `secrets.${name}`),
  ...(isMapped ? MAPPED.map((name) => `config.mapping.${name}`) : []),
];

/** Only what was touched: the rest stays as it is there. A secret that was left empty is kept. */
function bodyOf(
  { typed = {}, secrets = {}, mapping: touched = {}, ...switches }: Partial<Typed>,
  { config, mapping }: Form & { mapping: Mapping },
): object {
  const changed = config.filter(({ name }) => typed[name] !== undefined);
  const filled = <T extends object>(map: T) =>
    Object.fromEntries(Object.entries(map).filter(([, value]) => value.trim() !== ''));
  return {
    ...switches,
    secrets: filled(secrets),
    config: {
      ...Object.fromEntries(
        changed.map((field) => [field.name, readTyped(typed[field.name]!, field)]),
      ),
      // A mapping is one value: all of it, or nothing of it.
      ...(Object.keys(touched).length > 0 ? { mapping: filled(mapping) } : {}),
    },
  };
}
