import type { Laurel } from '@laurel/client';
import type { Language } from '../language';

/** Makes what a till cannot do without: its settings, switched on, and an action that records a purchase, named in the language of the shop. */
export async function readyTill(laurel: Laurel, { say }: Pick<Language, 'say'>): Promise<void> {
  const found = await laurel.staffAppConfig.get();
  const config = found ?? (await laurel.staffAppConfig.create({ is_enabled: true }));
  if (!config.is_enabled) await laurel.staffAppConfig.update({ is_enabled: true });
  if (config.actions.some(({ action_type }) => action_type === 'add_transaction')) return;
  const { id } = await laurel.staffAppConfig.createAction({
    name: say('till.purchase'),
    action_type: 'add_transaction',
    form_fields: [{ name: 'amount', label: say('till.amount'), type: 'number', required: true }],
  });
  if (config.actions.length === 0) return;
  const action_ids = [id, ...config.actions.map((action) => action.id)];
  await laurel.staffAppConfig.reorderActions({ action_ids });
}
