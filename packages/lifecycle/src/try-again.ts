interface Tries {
  /** Whether another try may succeed where this one failed. */
  on: (error: unknown) => boolean;
  triesMax: number;
}

/** Does something again, at once, while it fails for a reason that another try may not meet; then fails with the last one. */
export async function tryAgain<T>({ on, triesMax }: Tries, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!on(error) || tries === triesMax) throw error;
    }
  }
}
