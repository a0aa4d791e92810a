import type { Brand as BrandLook } from '@laurel/client';
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { useDraft } from '../../parts/draft';
import { Editing, readSeen } from '../../parts/editing';
import { Loaded } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { NamedButton } from '../../parts/named-button';
import { Panel } from '../../parts/page';
import { PictureField } from '../../parts/picture-field';
import { SaveBar } from '../../parts/save-bar';
import { troubleOf } from '../../refusals';
import { USUAL } from './usual-colours';

const TEXTS = ['name', 'privacy_url', 'imprint_url'] as const;
const PICTURES = ['logo', 'icon'] as const;
const COLOURS = ['primary', 'background'] as const;

/** How the shop looks, said once. */
export function Brand(): ReactNode {
  const { laurel } = useConsole();
  const brand = useAsk(['brand'], () => readSeen(laurel.brand.get()));
  return (
    <Loaded query={brand}>
      {() => (
        <>
          <Managed kind="brand" name="brand" />
          <Editing query={brand}>{(row) => <BrandForm brand={row} />}</Editing>
        </>
      )}
    </Loaded>
  );
}

function BrandForm({ brand }: { brand: BrandLook }): ReactNode {
  const { laurel, language, workspace } = useConsole();
  const { say } = language;
  const { draft, isDirty, set, drop, settle } = useDraft<BrandLook>();
  const whole = { ...brand, ...draft };
  const wish = useChange((body: Partial<BrandLook>, options) => laurel.brand.set(body, options), {
    forgets: ['brand', 'portal', 'mail-preview'],
    says: () => say('brand.saved'),
    settles: settle,
  });
  const trouble = (field: string) => troubleOf(wish.refused, field);
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <Panel>
        <p className="hint">{say('brand.text')}</p>
        {TEXTS.map((name) => (
          <TextInput
            key={name}
            label={say(`brand.${name}`)}
            type={name === 'name' ? 'text' : 'url'}
            placeholder={name === 'name' ? workspace.name : 'https://'}
            value={whole[name] ?? ''}
            error={trouble(name)}
            onChange={(event) => set({ [name]: event.currentTarget.value || null })}
          />
        ))}
        {PICTURES.map((name) => (
          <PictureField
            key={name}
            label={say(`brand.${name}`)}
            purpose={name}
            value={whole[name]}
            error={trouble(name)}
            onChange={(id) => set({ [name]: id })}
          />
        ))}
        <div className="colours">
          {COLOURS.map((name) => (
            <div key={name} className="colour">
              <label htmlFor={`brand-${name}`}>{say(`brand.${name}`)}</label>
              <div className="row">
                <input
                  id={`brand-${name}`}
                  type="color"
                  value={whole.colours[name] ?? USUAL[name]}
                  onChange={(event) =>
                    set({ colours: { ...whole.colours, [name]: event.currentTarget.value } })
                  }
                />
                {whole.colours[name] === null ? (
                  <span className="hint">{say('brand.notSaid')}</span>
                ) : (
                  <NamedButton
                    name={say(`brand.${name}`)}
                    onClick={() => set({ colours: { ...whole.colours, [name]: null } })}
                  >
                    {say('remove')}
                  </NamedButton>
                )}
              </div>
            </div>
          ))}
        </div>
      </Panel>
      <SaveBar
        isDirty={isDirty}
        wish={wish}
        fields={[...TEXTS, ...PICTURES]}
        onSave={() => void wish.send(draft)}
        onReset={drop}
        note={say('brand.note')}
      />
    </form>
  );
}
