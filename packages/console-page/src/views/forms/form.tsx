import type { Distribution } from '@laurel/client';
import { DISTRIBUTION_STATUSES } from '@laurel/contract';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { CopyText } from '../../parts/copy-text';
import { type Draft, useDraft } from '../../parts/draft';
import { Editing, readSeen } from '../../parts/editing';
import { usePathPart } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { Page, Panel } from '../../parts/page';
import { SaveBar } from '../../parts/save-bar';
import { useShopWords } from '../../parts/shop-words';
import { troubleOf } from '../../refusals';
import { Row } from '../rules/row';
import { type Askable, ofKind, questionAbout } from './asked';
import { DeleteForm } from './delete-form';
import { Embed, Preview } from './embed';
import { OriginsField } from './origins-field';
import { Poster } from './poster';

const FIELDS = ['name', 'privacy_url', 'terms_url', 'allowed_origins'];
const KINDS = ['text', 'email', 'phone', 'date', 'number', 'checkbox'] as const;
const KNOWN = ['first_name', 'last_name', 'email', 'phone', 'birth_date'] as const;
const KIND_OF: Readonly<Record<string, string>> = {
  email: 'email',
  phone: 'phone',
  birth_date: 'date',
};

/** A sign-up form: what it asks for, its poster, its code for other pages. */
export function FormPage(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const id = usePathPart(1);
  const form = useAsk(['forms', id], () => readSeen(laurel.distributions.get(id)));
  return (
    <Loaded query={form} lines={10}>
      {(found) => (
        <Page title={found.name} back={{ to: '/forms', label: say('forms.title') }}>
          <Managed kind="distributions" name={found.key} />
          <Editing query={form}>
            {(row) => (
              <div className="with-aside">
                <FormFields form={row} />
                <aside aria-label={say('form.poster')}>
                  <Poster form={found} />
                  {found.public_url && (
                    <Panel title={say('form.link')}>
                      <CopyText label={say('form.link')} value={found.public_url} isLabelHidden />
                      <p>
                        <a href={found.public_url} target="_blank" rel="noopener">
                          {say('form.preview')}
                        </a>
                      </p>
                    </Panel>
                  )}
                  {found.public_url && (
                    <Preview key={row.date_updated} address={found.public_url} />
                  )}
                  <Embed form={row} />
                  <DeleteForm form={row} />
                </aside>
              </div>
            )}
          </Editing>
        </Page>
      )}
    </Loaded>
  );
}

type Asked = Pick<
  Distribution,
  | 'name'
  | 'status'
  | 'form_fields_config'
  | 'require_marketing_consent'
  | 'privacy_url'
  | 'terms_url'
  | 'allowed_origins'
>;

function useSaving(form: Distribution, onSaved: (sent: object) => void) {
  const { laurel, language } = useConsole();
  return useChange(
    (body: Partial<Asked>, options) => laurel.distributions.update(form.id, body as never, options),
    {
      forgets: ['forms'],
      says: () => language.say('forms.saved'),
      settles: onSaved,
    },
  );
}

/** Puts a question at the end, in the language of those who are asked. */
function useAddField(
  form: Distribution,
  set: Draft<Asked>['set'],
): (field: Askable) => Promise<void> {
  const shopWords = useShopWords();
  return async (field) => {
    const known = KNOWN.find((one) => one === field.name);
    const label = known ? (await shopWords())(`customer.${known}`) : field.label;
    set((now) => ({
      form_fields_config: [
        ...(now.form_fields_config ?? form.form_fields_config),
        questionAbout({ ...field, label }),
      ],
    }));
  };
}

function FormFields({ form }: { form: Distribution }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const model = useAsk(['data-model'], () => laurel.dataModel.list());
  const { draft, isDirty, set, drop, settle } = useDraft<Asked>();
  const whole = { ...form, ...draft };
  const wish = useSaving(form, settle);
  const fields = whole.form_fields_config;
  const change = (at: number, by: Partial<(typeof fields)[number]>) =>
    set({
      form_fields_config: fields.map((one, index) => (index === at ? { ...one, ...by } : one)),
    });
  const add = useAddField(form, set);
  const troubleAt = (at: number, member = '') =>
    troubleOf(wish.refused, `form_fields_config.${at}${member}`);
  const swap = (at: number) => {
    const next = [...fields];
    [next[at - 1], next[at]] = [next[at]!, next[at - 1]!];
    set({ form_fields_config: next });
  };
  const free: Askable[] = [
    ...KNOWN.map((name) => ({
      name,
      label: say(`customer.${name}`),
      type: KIND_OF[name] ?? 'text',
    })),
    ...(model.data ?? [])
      .filter(({ is_system }) => !is_system)
      .map(({ field_name, field_label, field_type, options }) => ({
        name: field_name,
        label: field_label,
        type: field_type,
        options,
      })),
  ].filter(({ name }) => !fields.some((field) => field.name === name));
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <Panel>
        <TextInput
          label={say('name')}
          value={whole.name}
          error={troubleOf(wish.refused, 'name')}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <NativeSelect
          label={say('state')}
          value={whole.status}
          onChange={(event) => set({ status: event.currentTarget.value as 'active' })}
          data={DISTRIBUTION_STATUSES.map((value) => ({
            value,
            label: say(`form.${value}`),
          }))}
        />
      </Panel>
      <Panel title={say('form.fields')}>
        {fields.length === 0 && <p className="hint">{say('form.fields.usual')}</p>}
        {fields.map((field, at) => (
          <Row
            key={field.name}
            title={field.label}
            error={troubleAt(at, '.label') === undefined ? troubleAt(at) : undefined}
            onUp={at > 0 ? () => swap(at) : undefined}
            onRemove={() => set({ form_fields_config: fields.filter((_, index) => index !== at) })}
          >
            <div className="row row-end">
              <TextInput
                label={say('form.label')}
                value={field.label}
                error={troubleAt(at, '.label')}
                onChange={(event) => change(at, { label: event.currentTarget.value })}
              />
              <NativeSelect
                label={say('form.kind')}
                value={field.type}
                onChange={(event) => change(at, ofKind(event.currentTarget.value))}
                data={[...new Set([...KINDS, field.type])].map((value) => ({
                  value,
                  label: KINDS.find((one) => one === value)
                    ? say(`kind.${value as 'text'}`)
                    : value,
                }))}
              />
              <Checkbox
                label={say('form.required')}
                checked={field.required}
                onChange={(event) => change(at, { required: event.currentTarget.checked })}
              />
            </div>
          </Row>
        ))}
        <NativeSelect
          label={say('form.addField')}
          value=""
          onChange={(event) => {
            const found = free.find(({ name }) => name === event.currentTarget.value);
            if (found) void add(found);
          }}
          data={[
            { value: '', label: say('choose') },
            ...free.map(({ name, label }) => ({ value: name, label })),
          ]}
        />
      </Panel>
      <Panel title={say('form.legal')}>
        <Checkbox
          label={say('form.consent')}
          checked={whole.require_marketing_consent}
          onChange={(event) => set({ require_marketing_consent: event.currentTarget.checked })}
        />
        <TextInput
          type="url"
          label={say('form.privacy')}
          value={whole.privacy_url ?? ''}
          error={troubleOf(wish.refused, 'privacy_url')}
          onChange={(event) => set({ privacy_url: event.currentTarget.value || null })}
        />
        <TextInput
          type="url"
          label={say('form.terms')}
          value={whole.terms_url ?? ''}
          error={troubleOf(wish.refused, 'terms_url')}
          onChange={(event) => set({ terms_url: event.currentTarget.value || null })}
        />
        <OriginsField
          value={whole.allowed_origins}
          error={troubleOf(wish.refused, 'allowed_origins')}
          onChange={(allowed_origins) => set({ allowed_origins })}
        />
      </Panel>
      <SaveBar
        isDirty={isDirty}
        wish={wish}
        fields={[...FIELDS, ...fields.map((_, at) => `form_fields_config.${at}`)]}
        onSave={() => void wish.send(draft)}
        onReset={drop}
      />
    </form>
  );
}
