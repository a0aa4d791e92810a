import { Button, Field, Notice, useForm } from '@laurel/page-kit';
import type { ComponentChildren, VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { usePage } from '../context';
import { LANGUAGES } from '../language';
import { sayRefused, sayTrouble } from '../refusals';
import type { Settings, Shop, ShopApi, Standing } from '../shop';
import { currencies, currencyOf, timeZones, zoneHere } from './surroundings';

/** The shop itself. What the browser knows is filled in already. */
export function ShopStep({
  api,
  shop: known,
  standing,
  onDone,
}: {
  api: ShopApi;
  /** Where there is one already, it is put right. */
  shop: Shop | null;
  standing: Standing | null;
  onDone: (shop: Shop) => Promise<void>;
}): VNode {
  const { language } = usePage();
  const { say, locale } = language;
  const made = useRef(known);
  const { default_locale, default_currency, timezone } = standing?.settings ?? proposed(locale);
  const { isBusy, refused, submit } = useForm(async ({ name = '', timezone: zone, ...chosen }) => {
    const money = {
      default_locale: chosen.default_locale,
      default_currency: chosen.default_currency,
    };
    made.current ??= await api.make<Shop>(null, '/service-api/workspaces', { name, ...money });
    const shop = made.current;
    // Made by an earlier try, it may have another name by now.
    if (shop.name !== name) await api.write(shop, { method: 'PATCH', path: '', body: { name } });
    await api.write(shop, {
      method: 'PATCH',
      path: '/settings',
      body: { timezone: zone, ...money },
    });
    await onDone({ ...shop, name, role: 'admin' });
  });
  const names = new Intl.DisplayNames(locale, { type: 'language' });
  return (
    <form onSubmit={submit}>
      <p>{say('shop.text')}</p>
      <Field
        label={say('shop.name')}
        name="name"
        required
        maxLength={255}
        defaultValue={known?.name}
        autocomplete="organization"
        trouble={sayTrouble(language, refused, 'name')}
      />
      <div class="pair">
        <Choice label={say('shop.language')} name="default_locale">
          {LANGUAGES.spoken.map((code) => (
            <option value={code} key={code} selected={default_locale.startsWith(code)}>
              {names.of(code)}
            </option>
          ))}
        </Choice>
        <Choice label={say('shop.currency')} name="default_currency">
          {currencies().map((code) => (
            <option value={code} key={code} selected={code === default_currency}>
              {code}
            </option>
          ))}
        </Choice>
      </div>
      <Choice label={say('shop.zone')} name="timezone">
        {timeZones().map((zone) => (
          <option value={zone} key={zone} selected={zone === timezone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </Choice>
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      <Button isBusy={isBusy}>{say('continue')}</Button>
    </form>
  );
}

/** What is proposed for a shop that said nothing yet. */
const proposed = (locale: string): Settings => ({
  default_locale: locale,
  default_currency: currencyOf(zoneHere()),
  timezone: zoneHere(),
});

/** One of a list; what is there already is chosen. */
function Choice({
  label,
  name,
  children,
}: {
  label: string;
  name: string;
  children: ComponentChildren;
}): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        {children}
      </select>
    </div>
  );
}
