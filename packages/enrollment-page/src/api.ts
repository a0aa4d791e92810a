import type { Answers, Enrolled, Form } from './shapes.ts';

/**
 * What the platform refused: status 0 when it could not be reached. `fields` names what must be corrected, `isForeign`
 * says that the form may not be used on this page, in the words of `message`, `isCardOver` that the card there is has ended.
 */
export class EnrollmentError extends Error {
  readonly status: number;
  readonly fields: string[];
  readonly isForeign: boolean;
  readonly isCardOver: boolean;
  /** Whether it may have been done, or is still to be: the same is to be sent again under its key. */
  readonly isOpen: boolean;

  constructor(status: number, { errors = [] }: ErrorBody = {}) {
    super(errors[0]?.message ?? `the enrollment form was answered ${status}`);
    this.status = status;
    this.isOpen = status === 0 || status === 409 || status === 429 || status >= 500;
    this.fields = fieldsOf(errors);
    const reason = errors[0]?.extensions?.reason;
    this.isForeign = reason === 'origin_not_allowed';
    this.isCardOver = reason === 'pass_ended';
  }
}

type Send = typeof fetch;

/** Where the answers go: one address per way in. */
export interface Door {
  submit(answers: Answers, key: string): Promise<Enrolled>;
}

/** The page of a distribution. */
export function pageDoor(distributionId: string, send: Send = fetch.bind(globalThis)): Door {
  const address = '/service-api/distribution/submit';
  return {
    submit: (answers, key) =>
      post({ send, address }, { distribution_id: distributionId, ...answers }, key),
  };
}

/** A form on somebody else's page; `base` is where the platform is. */
export function embeddedDoor(
  base: string,
  token: string,
  send: Send = fetch.bind(globalThis),
): Door & { read(): Promise<{ form: Form; locale: string }> } {
  const root = `${base}/service-api/embed/distribution/${encodeURIComponent(token)}`;
  return {
    submit: (answers, key) => post({ send, address: `${root}/submit` }, answers, key),
    async read() {
      const { answer, headers } = await ask<{ data: Form }>(send, `${root}/config`);
      return { form: answer.data, locale: headers.get('content-language') ?? 'en' };
    },
  };
}

/** Says that it was them who filled in the form; the token is its own key. */
export async function confirm(
  token: string,
  send: Send = fetch.bind(globalThis),
): Promise<Enrolled> {
  return post({ send, address: '/service-api/public/enrollment/confirm' }, { token });
}

/** One key is one wish: sending it again enrols once. */
async function post(
  { send, address }: { send: Send; address: string },
  body: object,
  key?: string,
): Promise<Enrolled> {
  const { answer } = await ask<Enrolled>(send, address, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(body),
  });
  return answer;
}

/** Unlike a lost connection, a server that never answers would be waited for without end. */
const ANSWER_MS_MAX = 30_000;
const isUnreadable = (): undefined => undefined;

async function ask<Answer>(
  send: Send,
  address: string,
  request?: RequestInit,
): Promise<{ answer: Answer; headers: Headers }> {
  // Phones of some years ago have no `AbortSignal.timeout`.
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), ANSWER_MS_MAX);
  try {
    const { signal } = ending;
    const response = await send(address, { credentials: 'omit', signal, ...request }).catch(() => {
      throw new EnrollmentError(0);
    });
    const answer: unknown = await response.json().catch(isUnreadable);
    if (!response.ok) throw new EnrollmentError(response.status, answer as ErrorBody | undefined);
    // One that cannot be read says as little as none: the line broke, or another has answered in our place.
    if (answer === undefined) throw new EnrollmentError(0);
    return { answer: answer as Answer, headers: response.headers };
  } finally {
    clearTimeout(timer);
  }
}

interface ErrorBody {
  errors?: { message?: string; extensions?: { field?: string; reason?: string } }[];
}

/** `custom_fields.city` is the question `city`. */
function fieldsOf(errors: NonNullable<ErrorBody['errors']>): string[] {
  return errors.flatMap(({ extensions }) => {
    const field = extensions?.field;
    return field === undefined ? [] : [field.replace(/^custom_fields\./, '')];
  });
}
