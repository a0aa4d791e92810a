/** Its asker hears of it; who is next has their turn all the same. */
const reportedElsewhere = (): undefined => undefined;

/** Lets the work of one place be done one after the other, in the order in which it was asked for. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  take<T>(place: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.last.get(place) ?? Promise.resolve()).then(work);
    const over = mine.catch(reportedElsewhere).then(() => {
      if (this.last.get(place) === over) this.last.delete(place);
    });
    this.last.set(place, over);
    return mine;
  }
}
