/** What kills or empties the servers that it finds must not find those that belong to somebody. */
export function forgetForeignServers() {
  for (const name of ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL', 'MONGODB_DATABASE_PREFIX'])
    delete process.env[name];
}
