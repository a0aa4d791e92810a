/** The servers that integration tests run against; set by `npm test`. */
export function testServers(): { mongodbUri: string; rabbitmqUrl: string; redisUrl: string } {
  const read = (name: string): string => {
    const value = process.env[name];
    if (!value)
      throw new Error(
        `${name} is not set: run the tests with npm test, which starts the servers they need`,
      );
    return value;
  };
  return {
    mongodbUri: read('MONGODB_URI'),
    rabbitmqUrl: read('RABBITMQ_URL'),
    redisUrl: read('REDIS_URL'),
  };
}
