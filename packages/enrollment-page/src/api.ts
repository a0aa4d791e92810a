import type { Answers, Enrolled, Form } from './shapes.ts';

/**
 * What the platform refused: status 0 when it could not be reached. `fields` names what must be corrected, `isForeign`
 * says that the form may not be used on this page, in the words of `message`.
 */
export class EnrollmentError extends Error {
  readonly status: number;
  readonly fields: string[];
  readonly isForeign: boolean;

  constructor(status: number, { errors = [] }: ErrorBody = {}) {
    super(errors[0]?.message ?? `the enrollment form was answered ${status}`);
    this.status = status;
    this.fields = fieldsOf(errors);
    this.isForeign = errors[0]?.extensions?.reason === 'origin_not_allowed';
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
      const response = await ask(send, `${root}/config`);
      const { data } = (await response.json()) as { data: Form };
      return { form: data, locale: response.headers.get('content-language') ?? 'en' };
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
  const response = await ask(send, address, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Enrolled;
}

async function ask(send: Send, address: string, request?: RequestInit): Promise<Response> {
  const response = await send(address, { credentials: 'omit', ...request }).catch(() => {
    throw new EnrollmentError(0);
  });
  if (response.ok) return response;
  const answer = (await response.json().catch(() => ({}))) as ErrorBody;
  throw new EnrollmentError(response.status, answer);
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
