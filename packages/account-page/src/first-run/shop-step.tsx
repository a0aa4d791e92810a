import { Button, Field, Notice, newKey, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { usePage } from '../context';
import { LANGUAGES } from '../language';
import { sayRefused, sayTrouble } from '../refusals';
import type { Shop, ShopApi } from '../shop';
import { currencyOf, timeZones, zoneHere } from './surroundings';

/** The shop itself. What the browser knows is filled in already. */
export function ShopStep({
  api,
  onDone,
}: {
  api: ShopApi;
  onDone: (shop: Shop) => Promise<void>;
}): VNode {
  const { language } = usePage();
  const { say, locale } = language;
  const [key] = useState(newKey);
  const { isBusy, refused, submit } = useForm(
    async ({ name, default_locale, default_currency, timezone }) => {
      const shop = await api.createShop({ name, default_locale, default_currency }, key);
      await api.write(shop, { method: 'PATCH', path: '/settings', body: { timezone } });
      await onDone({ ...shop, role: 'admin' });
    },
  );
  const [languageId, zoneId] = [useId(), useId()];
  const names = new Intl.DisplayNames(locale, { type: 'language' });
  return (
    <form onSubmit={submit}>
      <p>{say('shop.text')}</p>
      <Field
        label={say('shop.name')}
        name="name"
        required
        maxLength={255}
        autocomplete="organization"
        trouble={sayTrouble(language, refused, 'name')}
      />
      <div class="pair">
        <div class="field">
          <label for={languageId}>{say('shop.language')}</label>
          <select id={languageId} name="default_locale">
            {LANGUAGES.spoken.map((code) => (
              <option value={code} key={code} selected={locale.startsWith(code)}>
                {names.of(code)}
              </option>
            ))}
          </select>
        </div>
        <Field
          label={say('shop.currency')}
          name="default_currency"
          required
          pattern="[A-Za-z]{3}"
          maxLength={3}
          autocapitalize="characters"
          spellcheck={false}
          defaultValue={currencyOf(zoneHere())}
          hint={say('shop.currency.hint')}
          trouble={sayTrouble(language, refused, 'default_currency')}
        />
      </div>
      <div class="field">
        <label for={zoneId}>{say('shop.zone')}</label>
        <select id={zoneId} name="timezone">
          {timeZones().map((zone) => (
            <option value={zone} key={zone} selected={zone === zoneHere()}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      </div>
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      <Button isBusy={isBusy}>{say('continue')}</Button>
    </form>
  );
}
