import { until } from '@laurel/testing';
import { call, gateways } from '../support/api';
import { expectStatus, newWorkspace, type TestWorkspace } from '../support/factories';
import { kill } from '../support/replicas';

jest.setTimeout(300_000);

const WRITERS = 4;
/** A process starts, on a busy machine. */
const BACK = { withinMs: 120_000, everyMs: 250, what: 'a gateway that answers' };
const PAGE = 100;

const isLive = async (gateway: string | undefined) =>
  (await call('GET', '!/health/live', { gateway })).status === 200;

/** Changes settings again and again, by whichever gateway answers; notes the id of each request that was. */
async function changeThings(workspace: TestWorkspace, changed: Set<string>, goesOn: () => boolean) {
  for (let turn = 0; goesOn(); turn += 1) {
    const [gateway] = gateways().slice(turn % gateways().length);
    const body = { default_locale: turn % 2 === 0 ? 'pl' : 'en' };
    const path = `/workspace/${workspace.workspaceId}/settings`;
    try {
      const reply = await call('PATCH', path, { gateway, body, token: workspace.token });
      if (reply.status === 200) changed.add(reply.headers.get('x-request-id')!);
    } catch {
      // Killed under our hands: no answer came, so nothing was promised.
      await until(() => isLive(gateway), BACK);
    }
  }
}

/** The request ids of everything in the log. */
async function logged(workspace: TestWorkspace): Promise<Set<string>> {
  const found = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const { data, meta } = expectStatus(await workspace.get(':ws/audit-log', query), 200).body;
    for (const entry of data as { request_id: string }[]) found.add(entry.request_id);
    if (!meta.next_cursor) return found;
    cursor = meta.next_cursor;
  }
}

test('every change that was answered is in the audit log, though gateway and identity were killed under load', async () => {
  const workspace = await newWorkspace();
  const changed = new Set<string>();
  let goingOn = true;
  const writers = Array.from({ length: WRITERS }, () =>
    changeThings(workspace, changed, () => goingOn),
  );
  const more = async (count: number) => {
    const wanted = changed.size + count;
    await until(() => changed.size >= wanted, { ...BACK, what: 'more changes' });
  };
  try {
    for (const service of ['gateway', 'identity', 'gateway']) {
      await more(20);
      await kill(service);
    }
    await more(20);
  } finally {
    goingOn = false;
    await Promise.all(writers);
  }
  await until(
    async () => {
      const log = await logged(workspace);
      return [...changed].every((id) => log.has(id));
    },
    { withinMs: 60_000, everyMs: 1_000, what: 'every change in the log' },
  );
});
