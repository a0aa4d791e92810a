import { fieldNeeded } from './trace-reasons.mjs';

const needing = (parameters: string, first: string) =>
  `exports.requireHolder = requireHolder;\nasync function requireHolder(${parameters}) {\n    ${first}\n    throw refusals_1.refusals.no();\n}\n`;

test.each([
  ['{ passes }, { id, for_client_id: meantFor }', 'if (meantFor === undefined)\n        return 1;'],
  ['{ passes }, { for_client_id }, now', 'if (for_client_id === undefined)\n        return;'],
])(
  'a function that returns at once without a field of its request needs it: %s',
  (parameters, first) => {
    expect(fieldNeeded(needing(parameters, first))).toBe('for_client_id');
  },
);

test.each([
  ['{ for_client_id }', 'const now = 1;'],
  ['{ for_client_id }', 'if (for_client_id === null)\n        return;'],
  [
    '{ for_client_id }',
    'if (for_client_id === undefined)\n        throw refusals_1.refusals.no();',
  ],
  ['request', 'if (cached === undefined)\n        return;'],
])('one that goes on without it does not: %s, %s', (parameters, first) => {
  expect(fieldNeeded(needing(parameters, first))).toBeNull();
});
