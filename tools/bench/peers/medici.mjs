// medici, a ledger in double entry on mongoose, in the bench's own process and on the store that the platform has.
import { randomUUID } from 'node:crypto';

/** As many accounts as our workspace has clients, and ten thousand entries of history over them. */
const ACCOUNTS = 500;
export const ENTRIES_EACH = 20;
const SEEDED_AT_ONCE = 32;
const AMOUNT = 1_000_000;

/**
 * @param {import('./install.mjs').Installed} installed
 * @param {string} uri of the store
 */
export async function openMedici({ load }, uri) {
  const mongoose = load('mongoose');
  const { Book, initModels, mongoTransaction } = load('medici');
  // Ids must rise in the order of the writes, for a kept balance is added to by what came after its last id.
  const options = {
    dbName: `bench_medici_${process.pid}`,
    maxPoolSize: 32,
    forceServerObjectId: true,
  };
  await mongoose.connect(uri, options);
  await initModels();
  const book = new Book('bench');
  const accounts = Array.from({ length: ACCOUNTS }, () => `Accounts:${randomUUID()}`);
  // It keeps each balance once a day and adds up what came since: this is the middle of a day of ten thousand entries.
  await seed(book, accounts, ENTRIES_EACH / 2);
  await atOnce(accounts, (account) => book.balance({ account }));
  await seed(book, accounts, ENTRIES_EACH / 2);

  /** As its README says that an account is kept from going below nothing. @param {string} account */
  const spend = (account) =>
    mongoTransaction(async (/** @type {unknown} */ session) => {
      await book.entry('Spend').credit('Assets', 1).debit(account, 1).commit({ session });
      const { balance } = await book.balance({ account }, { session });
      if (balance < 0) throw new Error('not enough points');
      await book.writelockAccounts([account], { session });
    });
  /** @type {Record<string, import('../subjects.mjs').Subject>} */
  const subjects = {
    'medici, guarded spend': {
      operation: (sequence) => spend(/** @type {string} */ (accounts[sequence % ACCOUNTS])),
    },
  };
  return {
    subjects,
    close: async () => {
      await mongoose.connection.dropDatabase();
      await mongoose.disconnect();
    },
  };
}

/** @param {any} book @param {string[]} accounts @param {number} each entries of each account */
const seed = (book, accounts, each) =>
  atOnce(Array.from({ length: each }, () => accounts).flat(), (account) =>
    book.entry('Earn').debit('Assets', AMOUNT).credit(account, AMOUNT).commit(),
  );

/** @param {string[]} accounts @param {(account: string) => Promise<unknown>} work a few at once */
async function atOnce(accounts, work) {
  const due = [...accounts];
  const worker = async () => {
    for (let account = due.pop(); account; account = due.pop()) await work(account);
  };
  await Promise.all(Array.from({ length: SEEDED_AT_ONCE }, worker));
}
