import { createLanguage } from '@laurel/page-kit/language';
import { createFormat } from '../../format/format';
import { en } from '../../words/en';
import {
  type Condition,
  choiceOf,
  conditionOf,
  nameCondition,
  offeredConditions,
  sayConditions,
} from './conditions';

const language = createLanguage('en-GB', en);
const shop = { format: createFormat('en-GB', 'Europe/Berlin', 'EUR'), language } as never;
const beans = {
  code: 'beans',
  name: 'Beans',
  unit_singular_name: 'bean',
  unit_plural_name: 'beans',
};
const stamps = { code: 'stamps', name: 'Stamps', unit_singular_name: null, unit_plural_name: null };
const inBeans: Condition = { type: 'total_earned', wallet_type_code: 'beans' };
const inStamps: Condition = { type: 'total_earned', wallet_type_code: 'stamps' };
const inAll: Condition = { type: 'total_earned' };

test.each<[string, Condition[], string]>([
  ['of one currency', [inBeans], '500 beans earned'],
  ['of each of two', [inBeans, inStamps], '500 beans earned and 500 Stamps earned'],
  ['of all together', [inAll], '500 earned in all currencies together'],
  ['of one that is gone', [{ ...inAll, wallet_type_code: 'stars' }], '500 stars earned'],
])('a tier says of which points it asks for so many: %s', (_, conditions, said) => {
  const tier = { kind: 'auto' as const, condition_values: { total_earned: 500 } };
  expect(sayConditions(shop, tier, { conditions, currencies: [beans, stamps] })).toBe(said);
});

test('a tier of a shop with one currency names its units', () => {
  const tier = { kind: 'auto' as const, condition_values: { total_earned: 1 } };
  expect(sayConditions(shop, tier, { conditions: [inAll], currencies: [beans] })).toBe(
    '1 bean earned',
  );
});

test('a tier says nothing of what is not counted', () => {
  const tier = { kind: 'auto' as const, condition_values: { total_earned: 5, total_spending: 0 } };
  const conditions: Condition[] = [{ type: 'total_spending' }];
  expect(sayConditions(shop, tier, { conditions, currencies: [beans] })).toBe('from the start');
});

test('what is counted is offered by its name, also where its currency is gone', () => {
  const offered = offeredConditions([beans, stamps], [{ ...inAll, wallet_type_code: 'stars' }]);
  expect(offered.map((one) => nameCondition(language.say, one, [beans, stamps]))).toEqual([
    'Purchases',
    'Money spent',
    'Points earned, all currencies together',
    'Points earned: Beans',
    'Points earned: Stamps',
    'Points earned: stars',
  ]);
  expect(offered.map(choiceOf).map(conditionOf)).toEqual(offered);
});

test('where there is one currency, points are offered once', () => {
  expect(offeredConditions([beans], []).map(choiceOf)).toEqual([
    'transaction_count',
    'total_spending',
    'total_earned',
  ]);
  expect(nameCondition(language.say, inAll, [beans])).toBe('Points earned');
});
