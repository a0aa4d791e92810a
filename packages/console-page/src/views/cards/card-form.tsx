import type { PassTemplate } from '@laurel/client';
import { type BarcodeType, TEMPLATE_COLOURS, type TemplateImage } from '@laurel/contract';
import { NativeSelect, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { contrast, READABLE, readableOn } from '../../card/contrast';
import { useConsole } from '../../console';
import { useChange } from '../../parts/change';
import { useDraft } from '../../parts/draft';
import { Panel } from '../../parts/page';
import { PictureField } from '../../parts/picture-field';
import { SaveBar } from '../../parts/save-bar';
import { troubleOf } from '../../refusals';
import { CardDrawing } from './card-drawing';
import { DeleteCard } from './delete-card';
import { FieldList } from './field-list';
import { Pictures } from './pictures';

const BACK = [
  'show_benefits_on_back',
  'show_available_rewards_on_back',
  'show_active_rewards_on_back',
  'show_loyalty_portal_link_on_back',
  'show_referral_code_on_back',
] as const;
const IMAGES: readonly TemplateImage[] = ['logo', 'icon', 'cover_image'];
const CODES: readonly BarcodeType[] = ['qr', 'aztec', 'code128', 'pdf417', 'none'];
const FIELDS = [
  'name',
  'logo_text',
  'logo',
  'icon',
  'cover_image',
  'barcode_label',
  ...TEMPLATE_COLOURS,
];

/** The parts of a card in the order in which they stand on it, and the card beside them. */
export function CardForm({ card }: { card: PassTemplate }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const { draft, isDirty, set, drop, settle } = useDraft<PassTemplate>();
  const whole = { ...card, ...draft };
  const wish = useChange(
    (body: Partial<PassTemplate>, options) =>
      laurel.passTemplates.update(card.id, body as never, options),
    {
      forgets: ['pass-templates', 'names'],
      says: () => say('card.saved'),
      settles: settle,
    },
  );
  const trouble = (field: string) => troubleOf(wish.refused, field);
  const phones = card.statistics.apple + card.statistics.google;
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <div className="with-aside picture-first">
        <div className="stack">
          <Panel title={say('card.head')}>
            <TextInput
              label={say('name')}
              value={whole.name}
              error={trouble('name')}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
            <TextInput
              label={say('card.logoText')}
              value={whole.logo_text ?? ''}
              error={trouble('logo_text')}
              onChange={(event) => set({ logo_text: event.currentTarget.value || null })}
            />
            {IMAGES.map((name) => (
              <PictureField
                key={name}
                label={say(`card.${name}`)}
                purpose={name === 'cover_image' ? 'strip' : name}
                value={whole[name]}
                error={trouble(name)}
                onChange={(id) => set({ [name]: id })}
              />
            ))}
          </Panel>
          <Panel title={say('card.colours')}>
            <div className="row row-end">
              {TEMPLATE_COLOURS.map((name) => (
                <label key={name} className="colour">
                  {say(`card.${name}`)}
                  <input
                    type="color"
                    value={whole[name] ?? (name === 'background_color' ? '#1b6b4c' : '#ffffff')}
                    onChange={(event) => set({ [name]: event.currentTarget.value })}
                  />
                </label>
              ))}
            </div>
            <Contrast whole={whole} onChange={set} />
          </Panel>
          <Panel title={say('card.front')}>
            <FieldList
              label={say('card.front')}
              fields={whole.front_fields}
              onChange={(front_fields) => set({ front_fields })}
            />
          </Panel>
          <Panel title={say('card.secondary')}>
            <FieldList
              label={say('card.secondary')}
              fields={whole.secondary_fields}
              onChange={(secondary_fields) => set({ secondary_fields })}
            />
          </Panel>
          <Panel title={say('card.back')}>
            <FieldList
              label={say('card.back')}
              fields={whole.back_fields}
              onChange={(back_fields) => set({ back_fields })}
            />
            {BACK.map((name) => (
              <Switch
                key={name}
                label={say(`card.${name}`)}
                checked={whole[name]}
                onChange={(event) => set({ [name]: event.currentTarget.checked })}
              />
            ))}
          </Panel>
          <Panel title={say('card.code')}>
            <NativeSelect
              label={say('form.kind')}
              value={whole.barcode_type}
              onChange={(event) => set({ barcode_type: event.currentTarget.value as 'qr' })}
              data={CODES.map((value) => ({
                value,
                label: value === 'none' ? say('none') : value.toUpperCase(),
              }))}
            />
            <TextInput
              label={say('card.codeLabel')}
              value={whole.barcode_label ?? ''}
              error={trouble('barcode_label')}
              onChange={(event) => set({ barcode_label: event.currentTarget.value || null })}
            />
          </Panel>
        </div>
        <aside aria-label={say('card.preview')}>
          <Panel title={say('card.preview')}>
            <CardDrawing card={whole} />
            <p className="hint">{say('card.preview.text')}</p>
          </Panel>
          <Pictures id={card.id} draft={draft} version={card.date_updated} />
          <DeleteCard card={card} />
        </aside>
      </div>
      <SaveBar
        isDirty={isDirty}
        wish={wish}
        fields={FIELDS}
        onSave={() => void wish.send(draft)}
        onReset={drop}
        label={phones > 0 ? say('card.publish', { count: phones }) : say('save')}
        note={phones > 0 ? say('card.publish.note') : undefined}
      />
    </form>
  );
}

/** Says which text cannot be read, and offers the nearest shade that can. */
function Contrast({
  whole,
  onChange,
}: {
  whole: PassTemplate;
  onChange: (by: Partial<PassTemplate>) => void;
}): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const ground = whole.background_color ?? '#1b6b4c';
  const poor = (['label_color', 'value_color'] as const).filter(
    (name) => contrast(ground, whole[name] ?? '#ffffff') < READABLE,
  );
  if (poor.length === 0) return <p className="hint">{say('card.readable')}</p>;
  return (
    <p className="notice notice-warn" role="status">
      {say('card.unreadable')}{' '}
      <button
        type="button"
        className="text-button"
        onClick={() =>
          onChange(
            Object.fromEntries(
              poor.map((name) => [name, readableOn(ground, whole[name] ?? '#ffffff')]),
            ),
          )
        }
      >
        {say('card.makeReadable')}
      </button>
    </p>
  );
}
