// The database on one machine, without Docker and without a MongoDB server of your own. Node built-ins only.
//
//   installDocumentdb({ root?, progress?, mirror? })        -> { root, version }
//       the engine (PostgreSQL 18 + the DocumentDB extension, from Debian sid) into a private root directory
//   startDocumentdb({ root?, dataDir, port?, socketDir?, logFile? }) -> { pid, port, socketDir, socket, stop() }
//       one engine on `dataDir`; as many side by side as you like
//   startPostgres({ root?, dataDir, port?, socketDir?, logFile? })   -> the same
//       its PostgreSQL without the extension
//   startGateway({ socketDir | enginePort, port?, logFile, env? })   -> { pid, port, uri, stop() }
//       the MongoDB wire protocol in front of it; `uri` is what a driver connects to
//   detectMongod() -> path | null,  startMongod({ binary?, dataDir, port?, logFile }) -> { pid, port, uri, stop() }
//       a real MongoDB server where there is one
//   gatewayUri(port) -> string       the `uri` of a gateway that already runs on `port`
//   isInstalled(root) -> boolean     whether installDocumentdb has finished there
//
// Every process is detached: it outlives its starter, ends by `stop()`, or by its pid from elsewhere
// (SIGINT for the engine, SIGTERM for the others). Every start returns only once the server answers.
export { startDocumentdb, startPostgres } from './documentdb/engine.mjs';
export { gatewayUri, startGateway } from './documentdb/gateway.mjs';
export { installDocumentdb, isInstalled } from './documentdb/install.mjs';
export { detectMongod, startMongod } from './documentdb/mongod.mjs';
