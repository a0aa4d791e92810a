import type { AppActionType, Language } from '@laurel/contract';
import type { Action } from './mobile-app';

export type ActionFields = Pick<Action, 'name' | 'action_type'> & Partial<Omit<Action, 'id'>>;

/** An action with what was left out at its default. */
export function newAction(id: string, sortOrder: number, fields: ActionFields): Action {
  return {
    description: null,
    icon: null,
    action_config: {},
    form_fields: [],
    is_enabled: true,
    sort_order: sortOrder,
    allowed_role_ids: null,
    ...fields,
    id,
  };
}

const DEFAULTS = [
  'add_points',
  'remove_points',
  'redeem_reward',
  'update_client_data',
] as const satisfies readonly AppActionType[];

/** What their buttons say, as the console calls them, too. */
const NAMES: Record<Language, Record<(typeof DEFAULTS)[number], string>> = {
  en: {
    add_points: 'Add points',
    remove_points: 'Remove points',
    redeem_reward: 'Redeem reward',
    update_client_data: 'Update client data',
  },
  de: {
    add_points: 'Punkte geben',
    remove_points: 'Punkte nehmen',
    redeem_reward: 'Prämie einlösen',
    update_client_data: 'Daten ändern',
  },
  fr: {
    add_points: 'Donner des points',
    remove_points: 'Retirer des points',
    redeem_reward: 'Échanger une récompense',
    update_client_data: 'Modifier les données',
  },
  es: {
    add_points: 'Dar puntos',
    remove_points: 'Quitar puntos',
    redeem_reward: 'Canjear recompensa',
    update_client_data: 'Cambiar datos',
  },
  pl: {
    add_points: 'Daj punkty',
    remove_points: 'Zabierz punkty',
    redeem_reward: 'Odbierz nagrodę',
    update_client_data: 'Zmień dane',
  },
};

/**
 * What every app starts with, also while the workspace has no reward yet (part 3, section 16).
 *
 * @param language of the shop: its staff read them
 */
export function defaultActions(language: Language, newId: () => string): Action[] {
  return DEFAULTS.map((action_type, place) =>
    newAction(newId(), place, { name: NAMES[language][action_type], action_type }),
  );
}
