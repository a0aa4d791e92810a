import { newKey } from '@laurel/page-kit/new-key';
import { element, labelled } from '../dom.ts';
import { isSignedIn, listWorkspaces, sessionToken } from './access.ts';
import { type ApiDocument, findOperation, type Operation } from './operation.ts';
import { type Filled, isWrite, requestOf } from './request.ts';

/** In memory only, for all forms of this page: it is gone with it. */
const kept = { token: '', workspace: '' };

let apiDocument: Promise<ApiDocument> | undefined;
let signedIn: Promise<boolean> | undefined;

/** What somebody fills in, and how it is read. */
interface Fields {
  elements: HTMLElement[];
  read(): Promise<Filled>;
}

/** The form of an operation, ready to be filled in. @param id e.g. `points.earn` */
export async function makeForm(id: string): Promise<HTMLElement> {
  apiDocument ??= fetch('/openapi.json').then((answer) => answer.json());
  signedIn ??= isSignedIn();
  // Without a network the next click asks again.
  apiDocument.catch(() => {
    apiDocument = undefined;
  });
  const operation = findOperation(await apiDocument, id);
  if (!operation) return element('p', {}, 'This takes a file: send it by the client or curl.');
  if (operation.door === 'page')
    return element('p', {}, 'Only pages of the platform itself may call this.');
  const fields = await fieldsOf(operation, operation.door === 'bearer' && (await signedIn));
  return formOf(operation, fields);
}

async function fieldsOf(operation: Operation, hasSession: boolean): Promise<Fields> {
  const token = element('input', { type: 'password', autocomplete: 'off', value: kept.token });
  const isTokenAsked = operation.door !== 'open' && !hasSession;
  const inputs = new Map(
    operation.parameters.map(({ name }) => [name, element('input', { autocomplete: 'off' })]),
  );
  const workspace = inputs.get('workspaceId');
  const offered = workspace && hasSession ? await offerWorkspaces(workspace) : [];
  if (workspace) workspace.value = kept.workspace;
  const body = element('textarea', { spellcheck: false, rows: 8 });
  if (operation.body) body.value = JSON.stringify(operation.body, null, 2);
  const dry = element('input', { type: 'checkbox', checked: true });
  const named = operation.parameters.map(({ name, isRequired }) =>
    labelled(isRequired ? `${name} (needed)` : name, inputs.get(name)!),
  );
  return {
    elements: [
      ...(isTokenAsked ? [labelled('Token, kept in the memory of this page', token)] : []),
      ...named,
      ...offered,
      ...(operation.body ? [labelled('Body', body)] : []),
      ...(operation.hasDryRun
        ? [element('label', { className: 'tick' }, dry, 'dry_run: only say what would happen')]
        : []),
    ],
    async read() {
      kept.token = token.value.trim();
      if (workspace) kept.workspace = workspace.value.trim();
      const values = Object.fromEntries([...inputs].map(([name, { value }]) => [name, value]));
      const used = hasSession ? await sessionToken() : kept.token;
      return { values, body: body.value, isDryRun: dry.checked, token: used };
    },
  };
}

/** What a signed-in person may choose from; the first is filled in. @returns what must stand beside the input */
async function offerWorkspaces(input: HTMLInputElement): Promise<HTMLElement[]> {
  const workspaces = await listWorkspaces().catch(() => []);
  kept.workspace ||= workspaces[0]?.id ?? '';
  const options = workspaces.map(({ id, name }) => element('option', { value: id, label: name }));
  const list = element('datalist', { id: `try-${newKey()}` }, ...options);
  input.setAttribute('list', list.id);
  return [list];
}

function formOf(operation: Operation, { elements, read }: Fields): HTMLFormElement {
  const send = element('button', { className: 'button button-main' }, 'Send');
  const said = element('p', { role: 'status' });
  const answer = element('pre', { className: 'is-output', hidden: true, tabIndex: 0 });
  let isMeant = false;
  const hesitate = () => {
    isMeant = false;
    send.textContent = 'Send';
  };
  const form = element(
    'form',
    { className: 'try', noValidate: true },
    ...elements,
    send,
    said,
    answer,
  );
  form.addEventListener('input', hesitate);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      const filled = await read();
      const request = requestOf(operation, filled);
      if (isWrite(operation, filled) && !isMeant) {
        isMeant = true;
        send.textContent = 'Yes, send it';
        said.textContent = `This is done for real, in ${kept.workspace || location.host}. Send it?`;
        return;
      }
      hesitate();
      send.disabled = true;
      show(said, answer, await answerTo(request));
    } catch (error) {
      said.textContent = (error as Error).message;
    } finally {
      send.disabled = false;
    }
  });
  return form;
}

interface Answer {
  status: string;
  text: string;
}

async function answerTo({ address, init }: ReturnType<typeof requestOf>): Promise<Answer> {
  const started = performance.now();
  const response = await fetch(address, init).catch(() => {
    throw new Error('No answer came. Whether anything happened is unknown.');
  });
  const text = await textOf(response);
  const request = response.headers.get('x-request-id');
  const ms = Math.round(performance.now() - started);
  return { status: `${response.status}, ${ms} ms${request ? `, request ${request}` : ''}`, text };
}

/** JSON laid out, other text as it is, and of a file how large it is. */
async function textOf(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('json') && !type.includes('ndjson'))
    return JSON.stringify(await response.json(), null, 2);
  if (type === '' || type.startsWith('text/')) return response.text();
  return `${type}, ${(await response.blob()).size} bytes`;
}

function show(said: HTMLElement, shown: HTMLElement, { status, text }: Answer): void {
  said.textContent = status;
  shown.hidden = text === '';
  shown.replaceChildren(element('code', {}, text));
}
