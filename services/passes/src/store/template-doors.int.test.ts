import { type Session, unitOfWork } from '@laurel/mongo';
import { testStore } from '@laurel/testing';
import { createTemplateDoors, templateDoors } from './template-doors';

/** More than there were doors once. */
const AT_ONCE = 9;

let store: Awaited<ReturnType<typeof testStore>>;
let doors: ReturnType<typeof createTemplateDoors>;
beforeAll(async () => {
  store = await testStore([templateDoors]);
  doors = createTemplateDoors(store.connection);
});
afterAll(() => store.drop());

const inUnit = <T>(work: (session: Session) => Promise<T>) => unitOfWork(store.connection, work);
const enter = (id: string) => inUnit((session) => doors.enter('w', id, session));

test('as many as join at once go through, each at its first try', async () => {
  await inUnit((session) => doors.openDoors('w', 'busy', session));
  let tries = 0;
  let inside = 0;
  let allInside: () => void = () => undefined;
  const together = new Promise<void>((resolve) => {
    allInside = resolve;
  });
  const join = () =>
    inUnit(async (session) => {
      tries += 1;
      const isIn = await doors.enter('w', 'busy', session);
      inside += 1;
      if (inside === AT_ONCE) allInside();
      await together;
      return isIn;
    });
  const joined = await Promise.all(Array.from({ length: AT_ONCE }, join));
  expect(joined).toEqual(Array(AT_ONCE).fill(true));
  expect(tries).toBe(AT_ONCE);
});

test('a template that was made with fewer doors lets in at each turn, and none once it is deleted', async () => {
  await inUnit((session) => doors.openDoors('w', 'old', session));
  const rows = templateDoors.open(store.connection).of('w');
  await rows.deleteMany({ template_id: 'old', _id: { $nin: formerIds('old') } });
  for (let turn = 0; turn < 40; turn += 1) expect(await enter('old')).toBe(true);
  await inUnit((session) => doors.closeDoors('w', 'old', session));
  for (let turn = 0; turn < 40; turn += 1) expect(await enter('old')).toBe(false);
});

/** Of the eight doors that there were of each template at first. */
const formerIds = (id: string) => Array.from({ length: 8 }, (_, index) => `${id}:${index}`);
