import { complaintAboutValue } from './field-value';

const asked = {
  options: ['red', 'blue'],
  lengthMax: 30,
  isDate: (text: string) => text === 'today',
};

test.each([
  ['number', 0, -1.5],
  ['boolean', true, false],
  ['checkbox', true, false],
  ['select', 'red', 'blue'],
  ['email', 'ada@example.com', 'a+b@c.de'],
  ['phone', '+48 123 456 789', '(030) 12-34'],
  ['tel', '112', '+1.2/3'],
  ['date', 'today', 'today'],
  ['url', 'https://example.com', 'HTTP://example.com/a?b'],
  ['text', '', 'anything'],
])('a field of type %s takes %j and %j', (type, one, other) => {
  expect([one, other].map((value) => complaintAboutValue({ ...asked, type }, value))).toEqual([
    null,
    null,
  ]);
});

test.each([
  ['number', '1', 'must be a number'],
  ['number', '1e20', 'must be less than or equal to 9007199254740991'],
  ['number', '-9007199254740993', 'must be greater than or equal to -9007199254740991'],
  ['number', '9007199254740993 or so', 'must be a number'],
  ['boolean', 'true', 'must be true or false'],
  ['checkbox', 1, 'must be true or false'],
  ['select', 'green', 'must be one of red, blue'],
  ['select', ['red'], 'must be one of red, blue'],
  ['email', 'ada', 'must be an e-mail address'],
  ['phone', '12', 'must be a phone number'],
  ['date', 'tomorrow', 'must be a date like 2026-01-31'],
  ['url', 'javascript:alert(1)', 'must be a web address'],
  ['url', 'https://', 'must be a web address'],
  ['text', 1, 'must be text'],
  ['url', `https://example.com/${'a'.repeat(30)}`, 'must be at most 30 characters long'],
])('a field of type %s refuses %j: %s', (type, value, complaint) => {
  expect(complaintAboutValue({ ...asked, type }, value)).toBe(complaint);
});
