import {
  type Conversion,
  type Described,
  has,
  type JsonSchema,
  valuesOf,
  type When,
} from './described';

/** Every schema that a condition may put in place. */
export function branchesOf(when: When): Described[] {
  const cases = when.switch ? when.switch.flatMap(branchesOf) : [];
  return [...cases, when.then, when.otherwise].filter((branch) => branch !== undefined);
}

/**
 * `member.when('sibling', …)` as if/then/else on the object that holds both. Validators obey it; a generator of types
 * may overlook it.
 *
 * @throws where the condition looks at anything but a sibling
 */
export function lifted(name: string, member: Described, conversion: Conversion): JsonSchema[] {
  return (member.whens ?? []).flatMap((when) => {
    const { path = [], ancestor = 1 } = when.ref ?? {};
    if (path.length !== 1 || ancestor !== 1)
      throw new Error(`the condition on ${name} looks at something else than a sibling`);
    const sibling = path[0]!;
    const says = (branch: Described | undefined) => consequence(name, branch, conversion);
    const tests = (when.switch ?? [when]).filter((one) => one.is ?? one.not);
    const otherwise = when.switch?.at(-1)?.otherwise ?? when.otherwise;
    if (!when.switch)
      return rule(testOf(when, sibling, conversion), says(when.then), says(otherwise));
    const cases = tests.map((one) => testOf(one, sibling, conversion));
    return [
      ...cases.flatMap((test, index) => rule(test, says(tests[index]!.then), undefined)),
      ...rule(cases.length === 1 ? cases[0]! : { anyOf: cases }, undefined, says(otherwise)),
    ];
  });
}

/** A sibling that is not there passes a test that does not require it, as it does for joi. */
function testOf({ is, not }: When, sibling: string, conversion: Conversion): JsonSchema {
  const tested = (is ?? not)!;
  const isAnything = tested.type === 'any' && valuesOf(tested.allow).length === 0;
  const passes: JsonSchema = {
    properties: { [sibling]: isAnything ? true : conversion.convert(tested) },
    ...(tested.flags?.presence === 'required' ? { required: [sibling] } : {}),
  };
  return is ? passes : { not: passes };
}

/** What a branch says of the member, or undefined where it says nothing. */
function consequence(
  name: string,
  branch: Described | undefined,
  conversion: Conversion,
): JsonSchema | undefined {
  if (!branch) return undefined;
  const presence = branch.flags?.presence;
  if (presence === 'forbidden') return { properties: { [name]: false } };
  const schema = conversion.convert(branch);
  const isAnything = Object.keys(schema).length === 0;
  if (presence !== 'required') return isAnything ? undefined : { properties: { [name]: schema } };
  return isAnything ? has(name) : { properties: { [name]: schema }, required: [name] };
}

function rule(test: JsonSchema, yes?: JsonSchema, no?: JsonSchema): JsonSchema[] {
  if (!yes && !no) return [];
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's word for the branch
  if (yes) return [{ if: test, then: yes, ...(no ? { else: no } : {}) }];
  return [{ if: test, else: no }];
}
