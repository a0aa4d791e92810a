import type { AppActionType } from '@laurel/contract';
import { offeredActions } from './actions';
import type { Action } from './shapes';

const action = (type: AppActionType, fields: Action['form_fields'] = []): Action => ({
  id: type,
  name: type,
  action_type: type,
  action_config: {},
  form_fields: fields,
});
const TAKE = action('remove_points');
const PURCHASE = action('add_transaction');
const POINTS = action('add_points');
const namesOf = (actions: readonly Action[]) => actions.map(({ name }) => name);

describe('what can be done with a card', () => {
  test('opens with the one action that gives, wherever it stands', () => {
    const { main, others } = offeredActions([TAKE, PURCHASE], true);
    expect(main).toBe(PURCHASE);
    expect(others).toEqual([TAKE]);
  });

  test('opens with the first of several, as the shop has put them', () => {
    expect(offeredActions([TAKE, POINTS, PURCHASE], true).main).toBe(POINTS);
    expect(namesOf(offeredActions([PURCHASE, TAKE, POINTS], true).others)).toEqual([
      'remove_points',
      'add_points',
    ]);
  });

  test('never opens with what takes', () => {
    expect(offeredActions([TAKE], true)).toEqual({ main: null, others: [TAKE] });
  });

  test('leaves out rewards, which stand in a list of their own, and forms without a question', () => {
    const empty = action('update_client_data');
    expect(offeredActions([action('redeem_reward'), empty], true).others).toEqual([]);
    const asking = action('update_client_data', [{ name: 'city', label: 'City', type: 'text' }]);
    expect(offeredActions([asking], true).others).toEqual([asking]);
  });

  test('is only what may wait for the network where the card is unknown', () => {
    expect(offeredActions([TAKE, POINTS, PURCHASE], false)).toEqual({
      main: POINTS,
      others: [PURCHASE],
    });
  });
});
