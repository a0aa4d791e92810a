import type { PortalConfig } from '@laurel/client';
import { Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { useDraft } from '../../parts/draft';
import { Editing, readSeen } from '../../parts/editing';
import { Loaded } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { Panel } from '../../parts/page';
import { SaveBar } from '../../parts/save-bar';
import { troubleOf } from '../../refusals';
import { USUAL } from './usual-colours';

const SHOWN = ['show_tier', 'show_rewards', 'show_redemption_history', 'show_referral'] as const;
const TEXTS = ['welcome_title', 'welcome_subtitle', 'privacy_url', 'terms_url'] as const;

/** The page on which customers see their balance. */
export function Portal(): ReactNode {
  const { laurel } = useConsole();
  const config = useAsk(['portal'], () => readSeen(laurel.portalConfig.get()));
  return (
    <Loaded query={config}>
      {() => (
        <>
          <Managed kind="portal" name="portal" />
          <Editing query={config}>{(row) => <PortalForm config={row} />}</Editing>
        </>
      )}
    </Loaded>
  );
}

function PortalForm({ config }: { config: PortalConfig }): ReactNode {
  const { laurel, language, workspace } = useConsole();
  const { say } = language;
  const { draft, isDirty, set, drop, settle } = useDraft<PortalConfig>();
  const whole = { ...config, ...draft };
  const wish = useChange(
    (body: Partial<PortalConfig>, options) => laurel.portalConfig.set(body as never, options),
    {
      forgets: ['portal', 'overview'],
      says: () => say('portal.saved'),
      settles: settle,
    },
  );
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <Panel>
        <Switch
          label={say('portal.on')}
          checked={whole.is_enabled}
          onChange={(event) => set({ is_enabled: event.currentTarget.checked })}
        />
        {config.is_enabled && (
          <p>
            <a
              href={`/portal/${workspace.slug}`}
            >{`${location.origin}/portal/${workspace.slug}`}</a>
          </p>
        )}
        <ColourField
          colour={whole.primary_color ?? null}
          onChange={(primary_color) => set({ primary_color })}
        />
        {TEXTS.map((name) => (
          <TextInput
            key={name}
            label={say(`portal.${name}`)}
            type={name.endsWith('url') ? 'url' : 'text'}
            value={whole[name] ?? ''}
            error={troubleOf(wish.refused, name)}
            onChange={(event) => set({ [name]: event.currentTarget.value || null })}
          />
        ))}
        {SHOWN.map((name) => (
          <Switch
            key={name}
            label={say(`portal.${name}`)}
            checked={whole[name]}
            onChange={(event) => set({ [name]: event.currentTarget.checked })}
          />
        ))}
      </Panel>
      <SaveBar
        isDirty={isDirty}
        wish={wish}
        fields={TEXTS}
        onSave={() => void wish.send(draft)}
        onReset={drop}
      />
    </form>
  );
}

/** A colour of the page's own, or the one of the brand, which then is shown. */
function ColourField({
  colour,
  onChange,
}: {
  colour: string | null;
  onChange: (colour: string | null) => void;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const brand = useAsk(['brand'], () => readSeen(laurel.brand.get()));
  const usual = brand.data?.colours.primary ?? USUAL.primary;
  // Where the page has none of its own, the platform answers that of the brand.
  const shown = (colour ?? usual).toLowerCase();
  return (
    <div className="colour">
      <label htmlFor="portal-colour">{say('portal.colour')}</label>
      <div className="row">
        <input
          id="portal-colour"
          type="color"
          value={shown}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {shown === usual.toLowerCase() ? (
          <span className="hint">{say('portal.asBrand')}</span>
        ) : (
          <button type="button" className="text-button" onClick={() => onChange(null)}>
            {say('portal.backToBrand')}
          </button>
        )}
      </div>
    </div>
  );
}
