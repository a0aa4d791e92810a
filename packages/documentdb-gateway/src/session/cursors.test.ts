import { Cursors } from './cursors';

const NOW = 1_000_000;
const page = Buffer.from('continuation');
const opened = { db: 'db', continuation: page, transaction: null };

describe('open cursors', () => {
  beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(NOW));
  afterEach(() => jest.restoreAllMocks());

  it('are forgotten when idle for too long, but not while a page is read', () => {
    const cursors = new Cursors(1000);
    cursors.open(1n, opened);
    cursors.open(2n, opened);
    const taken = cursors.take(2n, null);
    expect(cursors.reap(NOW + 1000)).toEqual([]);
    expect(cursors.reap(NOW + 1001)).toEqual([1n]);
    cursors.advance(2n, taken, page);
    expect(cursors.take(2n, null).continuation).toEqual(page);
  });

  it('serve one page at a time', () => {
    const cursors = new Cursors(1000);
    cursors.open(1n, opened);
    cursors.take(1n, null);
    expect(() => cursors.take(1n, null)).toThrow(expect.objectContaining({ code: 143 }));
  });

  it('end with their last page, or when they are killed', () => {
    const cursors = new Cursors(1000);
    cursors.open(1n, opened);
    cursors.open(2n, opened);
    cursors.advance(1n, cursors.take(1n, null), null);
    expect(cursors.kill([1n, 2n, 3n])).toEqual([2n]);
    for (const id of [1n, 2n])
      expect(() => cursors.take(id, null)).toThrow(expect.objectContaining({ code: 43 }));
  });
});
