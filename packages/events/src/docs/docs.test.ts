import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { catalogue } from '../catalogue';
import { renderAsyncApi } from './asyncapi';
import { renderEventsMarkdown } from './markdown';

interface Message {
  name: string;
  examples: { payload: object }[];
}

/** Every `$ref` in a document, wherever it stands. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' ? [String(inner)] : references(inner),
  );
}

function resolve(document: unknown, reference: string): unknown {
  const steps = reference.replace('#/', '').split('/');
  return steps.reduce(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step],
    document,
  );
}

describe('docs/events.md', () => {
  test('tells of every event, its fields and an example', () => {
    const text = renderEventsMarkdown();
    for (const { type, description } of catalogue) {
      expect(text).toContain(`### ${type}`);
      expect(text).toContain(description);
    }
    expect(text).toContain('| `entry.balance_after` | number | yes |');
    expect(text).toContain('| `external_identities[].provider` | string | yes |');
    expect(text).toContain('| `client.birth_date` | string or null | yes |');
  });

  test('comes out the same every time', () => {
    expect(renderEventsMarkdown()).toBe(renderEventsMarkdown());
  });
});

describe('docs/asyncapi.json', () => {
  const document = renderAsyncApi();

  test('is AsyncAPI 3.0 with a channel, operation, message and schema for every event', () => {
    expect(document.asyncapi).toBe('3.0.0');
    const { channels, operations, components } = document as Record<string, Record<string, object>>;
    expect(Object.keys(channels!)).toHaveLength(catalogue.length);
    expect(Object.keys(operations!)).toHaveLength(catalogue.length);
    expect(Object.keys(components!.messages!)).toHaveLength(catalogue.length);
  });

  test('refers to nothing that is not there', () => {
    const found = references(document);
    expect(found.length).toBeGreaterThan(catalogue.length);
    for (const reference of found)
      expect([reference, resolve(document, reference)]).not.toContain(undefined);
  });

  test('shows examples that its own schemas take', () => {
    const ajv = new Ajv({ strict: false, logger: false });
    addFormats(ajv);
    const { components } = document as { components: { messages: Record<string, Message> } };
    ajv.addSchema({ $id: 'document', components });
    for (const [component, { name, examples }] of Object.entries(components.messages)) {
      expect([name, examples.length]).toEqual([name, 1]);
      const takes = ajv.compile({ $ref: `document#/components/messages/${component}/payload` });
      takes(examples[0]!.payload);
      expect([name, takes.errors]).toEqual([name, null]);
    }
  });

  test('lets data grow', () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
  });
});
