import { createHash } from 'node:crypto';
import type { PassTemplatesCreateBody } from '@laurel/client';
import { unzipSync } from 'fflate';
import { call, type Reply } from './api';
import { newClient, type TestWorkspace } from './factories';
import { type IssuedPass, passOn } from './passes';

export interface Issued {
  templateId: string;
  projectId: string;
  clientId: string;
  pass: IssuedPass;
}

/** A client with a pass on a template of its own. */
export async function issuePass(
  owner: TestWorkspace,
  design: Partial<PassTemplatesCreateBody> = {},
): Promise<Issued> {
  const { laurel } = owner;
  const project = await laurel.projects.create({ name: 'Shop' });
  const template = await laurel.passTemplates.create({
    name: 'Loyalty card',
    project_id: project.id,
    ...design,
  });
  const client = await newClient(owner, { first_name: 'Ada', loyalty_program_enabled: true });
  const pass = await passOn(owner, template, { client_id: client.id });
  return { templateId: template.id, projectId: project.id, clientId: client.id, pass };
}

/** Follows a link of a pass, wherever the platform under test is. */
export function follow(link: string, headers: Record<string, string> = {}): Promise<Reply> {
  return call('GET', `!${new URL(link).pathname}`, { headers });
}

/** What is in a .pkpass; fails unless its manifest is true. */
export function openBundle(content: Buffer): {
  names: string[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents whose shape they are about to check
  pass: any;
} {
  const files = unzipSync(content);
  const { 'manifest.json': manifest, signature, ...listed } = files;
  if (!manifest || !signature) throw new Error('the bundle is not signed');
  const digests = Object.fromEntries(
    Object.entries(listed).map(([name, bytes]) => [
      name,
      createHash('sha1').update(bytes).digest('hex'),
    ]),
  );
  expect(JSON.parse(Buffer.from(manifest).toString())).toEqual(digests);
  return {
    names: Object.keys(listed).sort(),
    pass: JSON.parse(Buffer.from(listed['pass.json']!).toString()),
  };
}

/** An iPhone: it knows of a pass what stands in pass.json, and nothing else. */
export class Phone {
  constructor(
    readonly device: string,
    private readonly held: {
      passTypeIdentifier: string;
      serialNumber: string;
      authenticationToken: string;
      webServiceURL: string;
    },
  ) {}

  get registration(): string {
    const { passTypeIdentifier, serialNumber } = this.held;
    return `${this.devices}/${passTypeIdentifier}/${serialNumber}`;
  }

  register(headers: Record<string, string> = this.credential): Promise<Reply> {
    const body = { pushToken: `token-of-${this.device}` };
    return call('POST', this.registration, { headers, body });
  }

  unregister(headers: Record<string, string> = this.credential): Promise<Reply> {
    return call('DELETE', this.registration, { headers });
  }

  changed(passesUpdatedSince?: string): Promise<Reply> {
    const path = `${this.devices}/${this.held.passTypeIdentifier}`;
    return call('GET', path, passesUpdatedSince ? { query: { passesUpdatedSince } } : {});
  }

  latest(headers: Record<string, string> = {}): Promise<Reply> {
    const { passTypeIdentifier, serialNumber } = this.held;
    const path = `${this.root}/v1/passes/${passTypeIdentifier}/${serialNumber}`;
    return call('GET', path, { headers: { ...this.credential, ...headers } });
  }

  private get credential(): Record<string, string> {
    return { Authorization: `ApplePass ${this.held.authenticationToken}` };
  }

  private get root(): string {
    return `!${new URL(this.held.webServiceURL).pathname}`;
  }

  private get devices(): string {
    return `${this.root}/v1/devices/${this.device}/registrations`;
  }
}
