import { Button, Field, Notice, useForm } from '@laurel/page-kit';
import { balanceOf } from '@laurel/page-kit/placeholders';
import type { VNode } from 'preact';
import { usePage } from '../context';
import { LANGUAGES } from '../language';
import { sayRefused } from '../refusals';
import type { StepProps } from './step-props';

const COLOUR = '#1b6b4c';

/** The shop's colour, and in it the card, the form that gives it out, and the customers' portal. */
export function CardStep({ api, shop, standing, onDone }: StepProps): VNode {
  const { language } = usePage();
  const { say } = language;
  const { isBusy, refused, submit } = useForm(async ({ colour = COLOUR, portal }) => {
    const make = (path: string, body: object) => api.make<{ id: string }>(shop, path, body);
    await api.write(shop, {
      method: 'PUT',
      path: '/brand',
      body: { colours: { primary: colour } },
    });
    const project = await make('/projects', { name: shop.name });
    const { code, name, unit_plural_name } = standing.currency!;
    const card = await make('/pass-templates', {
      project_id: project.id,
      name: shop.name,
      pass_type: 'LOYALTY',
      logo_text: shop.name.slice(0, 255),
      barcode_type: 'qr',
      front_fields: [{ id: 'balance', label: unit_plural_name ?? name, value: balanceOf(code) }],
      show_available_rewards_on_back: true,
      show_loyalty_portal_link_on_back: portal === 'on',
    });
    if (portal === 'on')
      await api.write(shop, { method: 'PUT', path: '/portal-config', body: { is_enabled: true } });
    // What customers read is in their language, not in that of the one who sets the shop up.
    const theirs = (await LANGUAGES.of(standing.settings.default_locale)).say;
    await make('/distributions', {
      project_id: project.id,
      pass_template_id: card.id,
      name: say('card.form'),
      delivery_mode: 'page',
      page_enabled: true,
      form_fields_config: [
        { name: 'first_name', label: theirs('firstName'), type: 'text', required: true },
        { name: 'email', label: theirs('email'), type: 'email', required: true },
      ],
    });
    await onDone();
  });
  return (
    <form onSubmit={submit}>
      <p>{say('card.text')}</p>
      <Field label={say('card.colour')} name="colour" type="color" defaultValue={COLOUR} />
      <label class="row row-tick">
        <input class="tick" type="checkbox" name="portal" defaultChecked />
        {say('card.portal')}
      </label>
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      <Button isBusy={isBusy}>{say('card.submit')}</Button>
    </form>
  );
}
