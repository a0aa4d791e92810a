import { refuseBrokenLinks } from './checks.mjs';
import { createMarkdown } from './markdown.mjs';
import { createSchemaWords } from './schema.mjs';

const render = createMarkdown({ base: '/docs/' });
const page = (name: string, source: string) => ({ name, ...render(source) });

test('a heading has the anchor that it names, else one of its words', () => {
  const { html, headings } = render('# At the till\n\n## Credit `points` {#points.earn}');
  expect(html).toContain('<h1 id="at-the-till">At the till</h1>');
  expect(html).toContain('<h2 id="points.earn">Credit <code>points</code></h2>');
  expect(headings[1]).toEqual({ level: 2, text: 'Credit points', anchor: 'points.earn' });
});

test('a link between files is one between pages', () => {
  expect(render('[a](webhooks.md#repeats) [b](https://example.com/a.md)').links).toEqual([
    '/docs/webhooks#repeats',
    'https://example.com/a.md',
  ]);
});

test('what looks like HTML is shown as it was written', () => {
  const { html } = render('a <img src=x onerror=alert(1)> b\n\n```html\n<script>\n```');
  expect(html).not.toMatch(/<(img|script)/);
});

test.each([
  ['[a](words.md#tier)', null],
  ['[a](#here)\n\n## Here', null],
  ['[a](/register)', null],
  ['[a](nowhere.md)', 'start: /docs/nowhere'],
  ['[a](words.md#nothing)', 'start: /docs/words#nothing'],
  ['[a](#gone)', 'start: #gone'],
])('a link that leads nowhere stops the build: %s', (source, problem) => {
  const pages = [page('start', source), page('words', '# Words\n\n## Tier')];
  const check = () => refuseBrokenLinks(pages, '/docs/');
  if (problem === null) expect(check).not.toThrow();
  else expect(check).toThrow(problem);
});

test('a schema is shown field by field, with what each must hold and where its type is described', () => {
  const { tableOf } = createSchemaWords((name) =>
    name === 'Tier' ? '/docs/api/tiers#Tier' : undefined,
  );
  const table = tableOf({
    required: ['amount'],
    properties: {
      amount: { type: 'number', exclusiveMinimum: 0 },
      tiers: { type: 'array', items: { $ref: '#/components/schemas/Tier' } },
      note: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'A | or none' },
      lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
    },
  });
  expect(table.split('\n').slice(2, -1)).toEqual([
    '| `amount` * | number | more than `0` |',
    '| `tiers` | list of [Tier](/docs/api/tiers#Tier) |  |',
    '| `note` | string or null | A \\| or none |',
    '| `lines` | list of object |  |',
    '| `lines[].sku` | string |  |',
  ]);
});
