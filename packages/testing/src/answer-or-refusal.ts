import { Refusal } from '@laurel/errors';

/** What was answered, or the refusal with all that it says: to compare a forecast with what then comes. */
export async function answerOrRefusal<Answer>(
  work: () => Promise<Answer>,
): Promise<Answer | Pick<Refusal, 'code' | 'httpStatus' | 'problems'>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, httpStatus, problems } = error;
    return { code, httpStatus, problems };
  }
}
