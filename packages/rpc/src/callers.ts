import type { PeerCertificate } from 'node:tls';
import { ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js';
import type { Logger } from '@laurel/lifecycle';

const DNS = 'DNS:';

/** Who a caller is by its certificate: what it is called as a server, too. */
function namesOf({ subjectaltname = '' }: PeerCertificate): string[] {
  return subjectaltname
    .split(', ')
    .filter((name) => name.startsWith(DNS))
    .map((name) => name.slice(DNS.length));
}

/**
 * Lets the named services call and no other: who holds the certificate of one service is that service, and not every
 * one. Callers in plain text have no name, and none of them gets through.
 */
export function onlyFrom(callers: readonly string[], logger: Logger): ServerInterceptor {
  return ({ path }, call) => {
    const { sslPeerCertificate } = call.getAuthContext();
    const names = sslPeerCertificate ? namesOf(sslPeerCertificate) : [];
    if (names.some((name) => callers.includes(name))) return new ServerInterceptingCall(call);
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          // What is not passed on never reaches what would answer it.
          onReceiveMetadata: () => {
            logger.error({ caller: names, path }, 'a service called that may not');
            call.sendStatus({ code: status.PERMISSION_DENIED, details: 'this caller may not' });
          },
        }),
    });
  };
}
