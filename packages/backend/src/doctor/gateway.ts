import { broken, type Finding, fine, reasonOf } from './finding';

const ANSWER_MS_MAX = 5_000;

/** What a running gateway says about itself and all it depends on. @param baseUrl such as `http://localhost:8080` */
export async function examineGateway(baseUrl: string): Promise<Finding> {
  const about = `gateway ${baseUrl}`;
  try {
    const reply = await fetch(`${baseUrl}/health/dependencies`, {
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    if (reply.ok) return fine(about, 'answers, and everything it depends on');
    const { down = [] } = (await reply.json()) as { down?: string[] };
    const mend = 'see the log of each; docs/runbooks/LaurelDependencyDown.md';
    return broken(about, `does not reach ${down.join(', ')}`, mend);
  } catch (error) {
    return broken(about, `does not answer: ${reasonOf(error)}`, 'npm run status; npm run logs');
  }
}
