import path from 'node:path';
import { loadSync, type Options, type ServiceDefinition } from '@grpc/proto-loader';
import { Root } from 'protobufjs';

/** The only copy of the contracts, at the top of the repository. */
const PROTO_FOLDER = path.resolve(__dirname, '../../../protos');

const LOADER_OPTIONS: Options = {
  keepCase: true,
  longs: Number,
  enums: String,
  defaults: true,
  oneofs: false,
  includeDirs: [PROTO_FOLDER],
};

export interface LoadedService {
  definition: ServiceDefinition;
  root: Root;
  /** Full name, e.g. `laurel.ledger.Ledger`. */
  fullName: string;
}

const loaded = new Map<string, LoadedService>();

/** Loads `protos/<name>.proto`, which declares one service in package `laurel.<name>`. */
export function loadService(name: string): LoadedService {
  const known = loaded.get(name);
  if (known) return known;
  const packageDefinition = loadSync(`${name}.proto`, LOADER_OPTIONS);
  const entry = Object.entries(packageDefinition).find(
    ([key, value]) => key.startsWith(`laurel.${name}.`) && !('format' in value),
  );
  if (!entry) throw new Error(`protos/${name}.proto declares no service in package laurel.${name}`);
  const root = new Root();
  root.resolvePath = (_origin, target) => path.join(PROTO_FOLDER, path.basename(target));
  root.loadSync(`${name}.proto`, { keepCase: true });
  root.resolveAll();
  const service = { definition: entry[1] as ServiceDefinition, root, fullName: entry[0] };
  loaded.set(name, service);
  return service;
}
