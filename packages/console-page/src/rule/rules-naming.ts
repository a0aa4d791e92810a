interface Naming {
  name: string;
  active: boolean;
  conditions?: readonly unknown[];
  effects: readonly unknown[];
}

/** The rules that are off and name a thing by its id, wherever in them: in formulas, too. */
export const rulesOffNaming = <Rule extends Naming>(rules: readonly Rule[], id: string): Rule[] =>
  rules.filter(
    ({ active, conditions, effects }) =>
      !active && JSON.stringify([conditions, effects]).includes(id),
  );
