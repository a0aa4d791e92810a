/**
 * @jest-environment jsdom
 * @jest-environment-options {"customExportConditions": ["node", "require"]}
 */
import { Refused } from '@laurel/page-kit';
import { type ComponentChildren, render } from 'preact';
import { act } from 'preact/test-utils';
import type { TillApi } from '../api';
import { type Till, TillContext } from '../context';
import { LANGUAGES } from '../language';
import type { Wish } from '../queue/machine';
import type { Outcome, Queue } from '../queue/queue';
import type { Action, App, Operation, WholePass } from '../shapes';
import { Counter } from './counter';
import { Recent } from './recent';
import { TakeBack } from './take-back';

const passOf = (id: string, name: string, more: Partial<WholePass> = {}): WholePass => ({
  id,
  barcode_value: id,
  status: 'active',
  expires_at: null,
  client: { id, first_name: name },
  tier: null,
  wallets: [],
  ...more,
});
const PASSES: Readonly<Record<string, WholePass>> = {
  'card-1': passOf('card-1', 'Ada'),
  'card-2': passOf('card-2', 'Bo'),
  'card-3': passOf('card-3', 'Cy', { expires_at: '2020-01-01T00:00:00.000Z' }),
};
const SALE: Action = {
  id: 'sale',
  name: 'Purchase',
  action_type: 'add_transaction',
  action_config: {},
  form_fields: [],
};
const POINTS: Action = {
  ...SALE,
  id: 'points',
  name: 'Points',
  action_type: 'add_points',
  action_config: { default_points: 2.5 },
};
const BEANS = { code: 'beans', name: 'Beans', unit_singular_name: 'Bean', unit_plural_name: null };
const STAMPS = { ...BEANS, code: 'stamps', name: 'Stamps', unit_singular_name: null };

/** What was put into the queue, each with what answers it. */
let added: { wish: Wish; answer: (outcome: Outcome) => void }[];

function tillOf(actions: Action[], api: Partial<TillApi> = {}): Partial<Till> {
  const app: App = {
    config: { app_config: {}, hidden_fields: null },
    actions,
    wallet_types: [BEANS],
  };
  const queue: Partial<Queue> = {
    add: (wish) => new Promise((answer) => added.push({ wish, answer })),
  };
  const asked: Partial<TillApi> = {
    search: async () => [],
    scan: async (code) => PASSES[code]!,
    rewards: async () => [],
    redemptions: async () => [],
    quote: async () => ({ effects: [], is_cut: false }),
    recent: async () => [],
    ...api,
  };
  const known = { currency: 'EUR', isOnline: true, wishes: [] };
  return { ...known, app, queue: queue as Queue, api: asked as TillApi };
}

async function open(till: Partial<Till>, children: ComponentChildren): Promise<void> {
  const whole = { language: await LANGUAGES.of('en'), ...till } as Till;
  const place = document.querySelector('#app')!;
  await act(() =>
    render(<TillContext.Provider value={whole}>{children}</TillContext.Provider>, place),
  );
}
const counter = <Counter shop="Corner" onLeave={async () => undefined} />;
/** Resolves once what the page shows is so. */
function shown(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSo()) return;
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { subtree: true, childList: true, characterData: true });
    look();
  });
}
/** Whatever follows from an answer by itself has followed. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await act(async () => undefined);
};
const page = (): string => document.body.textContent ?? '';
const heading = (): string => document.querySelector('h1')?.textContent ?? '';
const buttons = () => [...document.querySelectorAll<HTMLButtonElement>('button')];
const click = (name: RegExp) =>
  act(async () =>
    buttons()
      .find((each) => name.test(each.getAttribute('aria-label') ?? each.textContent ?? ''))!
      .click(),
  );
/** @param name of the customer whose card it is */
async function find(code: string, name: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[name=wanted]')!;
  input.value = code;
  input.form!.requestSubmit();
  await shown(() => heading() === name);
}

/** That it was done, under an id of the platform's. */
const doneAs = (operation_id: string | null): Outcome => ({
  state: 'done',
  executed: { operation_id, action_type: 'add_transaction', result: {}, balances: [] },
});
const operationOf = (id: string, more: Partial<Operation> = {}): Operation => ({
  id,
  action_id: 'sale',
  action_name: 'Purchase',
  pass_id: 'card-1',
  client_name: 'Ada',
  amount: 0.05,
  wallet_type_code: null,
  currency: 'EUR',
  at: '2026-01-31T10:00:00.000Z',
  undone_at: null,
  undoable: true,
  ...more,
});

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>';
  added = [];
  globalThis.matchMedia = (() => ({ matches: true })) as unknown as typeof matchMedia;
});
afterEach(() => act(() => render(null, document.querySelector('#app')!)));

test('what became of a booking takes no screen from a cashier who serves the next customer by then', async () => {
  await open(tillOf([SALE]), counter);
  await find('card-1', 'Ada');
  expect(heading()).toBe('Ada');
  await click(/^5$/);
  await click(/^Add /);
  await click(/^Back$/);
  await find('card-2', 'Bo');
  await click(/^7$/);
  added[0]!.answer(doneAs('own'));
  await settled();
  expect(heading()).toBe('Bo');
  expect(document.querySelector('.amount')!.textContent).toContain('0.07');
});

test('what became of a booking is shown to a cashier who waits for it', async () => {
  await open(tillOf([SALE]), counter);
  await find('card-1', 'Ada');
  await click(/^5$/);
  await click(/^Add /);
  expect(added[0]!.wish).toMatchObject({ isPurchase: true, mayWait: true });
  added[0]!.answer({ state: 'kept' });
  await shown(() => heading() === 'Kept');
});

/** A till that notes what it follows and takes back; of the same purchase on the same card another one is newer. */
function twice() {
  const asked: string[] = [];
  const till = tillOf([SALE], {
    recent: async () => [operationOf('newer'), operationOf('own')],
    follow: async (id) => {
      asked.push(`follow ${id}`);
      const nothing = { entries: [], rewards: [], failed_rules: [], tier: null, balances: [] };
      return { state: 'done', ...nothing };
    },
    undo: async (id) => {
      asked.push(`undo ${id}`);
      return { balances: [] };
    },
  });
  return { till, asked };
}
async function sell(till: Partial<Till>, outcome: Outcome): Promise<void> {
  await open(till, counter);
  await find('card-1', 'Ada');
  await click(/^5$/);
  await click(/^Add /);
  added[0]!.answer(outcome);
  await shown(() => heading() === 'Done');
}

test('of two purchases that are alike each is followed and taken back by its own id', async () => {
  const { till, asked } = twice();
  await sell(till, doneAs('own'));
  await shown(() => buttons().some(({ textContent }) => textContent === 'Undo'));
  await click(/^Undo$/);
  document.querySelector('form')!.requestSubmit();
  await shown(() => heading() === 'Taken back');
  expect(asked).toEqual(['follow own', 'undo own']);
});

test('what an answer did not name is not guessed at: the list of what was done lately has it', async () => {
  const { till, asked } = twice();
  await sell(till, doneAs(null));
  await settled();
  expect(asked).toEqual([]);
  expect(buttons().some(({ textContent }) => textContent === 'Undo')).toBe(false);
});

test('an answer that comes late offers no way back from what was taken back since', async () => {
  let late = (_all: Operation[]): void => undefined;
  const answers = [
    new Promise<Operation[]>((resolve) => {
      late = resolve;
    }),
    Promise.resolve([
      operationOf('own', { undoable: false, undone_at: '2026-01-31T10:01:00.000Z' }),
    ]),
  ];
  const till = tillOf([], { recent: () => answers.shift()! });
  const recent = <Recent onBack={() => undefined} />;
  await open(till, recent);
  await open({ ...till, wishes: [{} as Wish] }, recent);
  await shown(() => page().includes('taken back'));
  late([operationOf('own')]);
  await settled();
  expect(page()).toContain('taken back');
  expect(buttons().some(({ textContent }) => textContent === 'Undo')).toBe(false);
});

test.each([
  [false, 'Will bring 5 Beans'],
  [true, 'Will bring 5 Beans, perhaps more'],
])(
  'what a purchase would bring is said, and whether that is all of it (cut: %s)',
  async (is_cut, said) => {
    const effects = [{ wallet_type_code: 'beans', points: 5 }];
    await open(tillOf([SALE], { quote: async () => ({ effects, is_cut }) }), counter);
    await find('card-1', 'Ada');
    await click(/^5$/);
    const told = () => document.querySelector('.foretold')!.textContent ?? '';
    await shown(() => told() !== '');
    expect(told()).toBe(said);
  },
);

test('points that a shop has set are given to the last decimal, though the pad has none', async () => {
  await open(tillOf([POINTS]), counter);
  await find('card-1', 'Ada');
  await click(/^Add 2\.5 Beans$/);
  expect(added[0]!.wish.data).toMatchObject({ points: 2.5 });
});

test('two keys at once are two digits', async () => {
  await open(tillOf([SALE]), counter);
  await find('card-1', 'Ada');
  // By the first digit the page is drawn, and listens.
  await click(/^3$/);
  await act(() => {
    for (const key of '12')
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  });
  expect(document.querySelector('.amount')!.textContent).toContain('3.12');
});

describe.each(['select', 'input[type=checkbox]'])('once %s was used', (used) => {
  const amount = () => document.querySelector('.amount')!.textContent;
  /** Types on what was used, and says of which keys the browser makes nothing. */
  async function type(keys: string[]): Promise<string[]> {
    const place = document.querySelector<HTMLElement>(used)!;
    place.focus();
    const events = keys.map(
      (key) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
    await act(() => {
      for (const event of events) place.dispatchEvent(event);
    });
    return events.filter((event) => event.defaultPrevented).map(({ key }) => key);
  }
  const lists = used === 'select';

  beforeEach(async () => {
    const gift = { name: 'gift', label: 'Gift', type: 'checkbox' } as const;
    const till = tillOf([{ ...POINTS, action_config: {}, form_fields: [gift] }]);
    till.app!.wallet_types.push(STAMPS);
    await open(till, counter);
    await find('card-1', 'Ada');
    await click(/^7$/);
    const list = document.querySelector('select')!;
    list.value = 'stamps';
    await act(async () => void list.dispatchEvent(new Event('change', { bubbles: true })));
    expect(amount()).toBe('7 Stamps');
  });

  test('the code of the next card changes no currency and no amount, and its Enter gives nothing', async () => {
    const unused = await type([...'B1234', 'Enter']);
    expect(unused).toEqual([...(lists ? 'B1234' : '34'), 'Enter']);
    expect(amount()).toBe('7 Stamps');
  });

  test('a digit comes to the pad, and what chooses stays where it is', async () => {
    expect(await type(['5'])).toEqual(lists ? ['5'] : []);
    expect(amount()).toBe('75 Stamps');
    expect(await type([' ', 'ArrowDown'])).toEqual([]);
  });
});

test('what a reward costs is said in the currency that pays for it', async () => {
  const wallet = (id: string, active_balance: number) => ({
    wallet_type_id: id,
    wallet_type_code: id,
    active_balance,
    pending_balance: 0,
  });
  const pass = passOf('card-1', 'Ada', { wallets: [wallet('beans', 1), wallet('stamps', 3)] });
  const reward = (name: string, wallet_type_id: string, more: object) => ({
    ...{ id: name, name, wallet_type_id, cost_in_points: 1, is_locked: false, reason: null },
    ...{ can_afford: true, ...more },
  });
  const bread = { cost_in_points: 5, can_afford: false, reason: 'insufficient_points' };
  const till = tillOf([{ ...SALE, id: 'redeem', action_type: 'redeem_reward' }], {
    scan: async () => pass,
    rewards: async () => [reward('Coffee', 'beans', {}), reward('Bread', 'stamps', bread)],
  });
  till.app!.wallet_types.push(STAMPS);
  await open(till, counter);
  await find('card-1', 'Ada');
  await shown(() => page().includes('Bread'));
  expect(page()).toContain('5 Stamps · 2 missing');
  await click(/^Coffee/);
  expect(page()).toContain('Redeem for 1 Bean');
});

test('an expired card is said to be over, and offers nothing', async () => {
  await open(tillOf([SALE]), counter);
  await find('card-3', 'Cy');
  expect(page()).toContain('This card is not valid any more.');
  expect(document.querySelector('.pad')).toBeNull();
});

test.each([
  ['still on its way', 1, 'Try again in a moment'],
  ['too late', null, 'cannot be taken back any more'],
])('taking back what is %s is said to be so', async (_, retryAfterSeconds, sentence) => {
  const undo = () => Promise.reject(new Refused(409, 'CONFLICT', { retryAfterSeconds }));
  await open(tillOf([], { undo }), <TakeBack operationId="o" onUndone={() => undefined} />);
  await click(/^Undo$/);
  document.querySelector('form')!.requestSubmit();
  await shown(() => document.querySelector('[role=alert]') !== null);
  expect(page()).toContain(sentence);
});
