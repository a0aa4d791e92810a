import { type ApiDocument, findOperation, type Operation } from './operation.ts';
import { type Filled, isWrite, requestOf } from './request.ts';

const PATH = '/service-api/workspace/{workspaceId}/rewards/redeem';
const DOCUMENT: ApiDocument = {
  paths: {
    [PATH]: {
      post: {
        operationId: 'rewards.redeem',
        parameters: [
          { $ref: '#/components/parameters/WorkspaceId' },
          { $ref: '#/components/parameters/IdempotencyKey' },
          { name: 'expand', in: 'query' },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/RewardsRedeemBody' },
              examples: { coffeeShop: { value: { reward_id: 'r' } } },
            },
          },
        },
        security: [{ bearer: [] }],
      },
    },
    '/service-api/files': {
      post: {
        operationId: 'files.upload',
        requestBody: { content: { 'multipart/form-data': { schema: {} } } },
      },
    },
  },
  components: {
    parameters: {
      WorkspaceId: { name: 'workspaceId', in: 'path', required: true },
      IdempotencyKey: { name: 'Idempotency-Key', in: 'header' },
    },
    schemas: { RewardsRedeemBody: { properties: { reward_id: {}, dry_run: {} } } },
  },
};
const redeem = findOperation(DOCUMENT, 'rewards.redeem')!;
const FILLED: Filled = {
  values: { workspaceId: 'a b', expand: '' },
  body: '{"reward_id":"r"}',
  isDryRun: true,
  token: 't',
};

test('an operation is found with its example, its parameters and whether it can be tried dry', () => {
  expect(redeem).toEqual<Operation>({
    method: 'POST',
    path: PATH,
    parameters: [
      { name: 'workspaceId', in: 'path', isRequired: true },
      { name: 'expand', in: 'query', isRequired: false },
    ],
    body: { reward_id: 'r' },
    hasDryRun: true,
    isKeyed: true,
    door: 'bearer',
  });
});

test('what wants a file cannot be called from here, nor what is not there', () => {
  expect(findOperation(DOCUMENT, 'files.upload')).toBeNull();
  expect(findOperation(DOCUMENT, 'rewards.unknown')).toBeNull();
});

test('what was filled in stands in its place, and what is empty nowhere', () => {
  const { address, init } = requestOf(redeem, FILLED);
  expect(address).toBe('/service-api/workspace/a%20b/rewards/redeem');
  expect(init.headers).toMatchObject({
    Authorization: 'Bearer t',
    'Idempotency-Key': expect.stringMatching(/^docs-/),
  });
  expect(JSON.parse(String(init.body))).toEqual({ reward_id: 'r', dry_run: true });
  const asked = requestOf(redeem, { ...FILLED, values: { workspaceId: 'w', expand: 'a&b' } });
  expect(asked.address).toMatch(/\?expand=a%26b$/);
});

test('what cannot be sent is said in a sentence', () => {
  expect(() => requestOf(redeem, { ...FILLED, values: {} })).toThrow('workspaceId is needed.');
  expect(() => requestOf(redeem, { ...FILLED, body: '{' })).toThrow('The body is no JSON');
});

test('a write is asked for once more, unless it is tried dry; reading never is', () => {
  expect(isWrite(redeem, { ...FILLED, isDryRun: false })).toBe(true);
  expect(isWrite(redeem, FILLED)).toBe(false);
  expect(isWrite({ ...redeem, hasDryRun: false }, FILLED)).toBe(true);
  expect(isWrite({ ...redeem, method: 'GET' }, FILLED)).toBe(false);
});
