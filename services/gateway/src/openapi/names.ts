import type { Route } from '../routing';
import { EXCEPTIONS } from './name-exceptions';

/** What a tag is called in code, and which words of a path say no more than the tag does. */
interface Group {
  name: string;
  own: readonly string[];
}

const GROUPS: Readonly<Record<string, Group>> = {
  Authentication: { name: 'auth', own: ['auth'] },
  'Data model': { name: 'dataModel', own: ['data-model'] },
  Enrollment: { name: 'enrollment', own: ['embed', 'distribution', 'public', 'enrollment'] },
  Files: { name: 'files', own: ['files', 'assets'] },
  'Google Wallet': { name: 'googleWallet', own: ['google', 'v1'] },
  'Image sources': { name: 'imageSources', own: ['image-source'] },
  Invitations: { name: 'invitations', own: ['invitations', 'invitation'] },
  'Loyalty configuration': { name: 'loyaltyConfig', own: ['loyalty', 'config'] },
  'Mobile app': { name: 'staffApp', own: ['mobile-app', 'auth'] },
  'Mobile app configuration': { name: 'staffAppConfig', own: ['mobile-app-config'] },
  'Mobile app users': { name: 'staffUsers', own: ['mobile-app-users'] },
  'Pass templates': { name: 'passTemplates', own: ['pass-templates', 'templates'] },
  'PassKit web service': { name: 'passKit', own: ['apple', 'v1'] },
  Passes: { name: 'passes', own: ['passes', 'pass'] },
  Points: { name: 'points', own: ['loyalty', 'points'] },
  Portal: { name: 'portal', own: ['public', 'loyalty'] },
  'Rewards and redemptions': { name: 'rewards', own: ['rewards'] },
  'Wallet credentials': { name: 'walletCredentials', own: ['passes', 'wallet-credentials'] },
  'Wallet links': { name: 'walletLinks', own: ['p'] },
  'Wallet types': { name: 'walletTypes', own: ['wallet-types'] },
};

/** Spoken by phones and by Google, not by clients of the API. */
export const SPOKEN_BY_PHONES: ReadonlySet<string> = new Set([
  'googleWallet',
  'passKit',
  'walletLinks',
]);

/** Nouns whose id in front of another noun says whose it is. */
const OWNERS = new Set(['clients', 'projects', 'rewards', 'segments']);
const VERBS = new Set(
  (
    'accept adjust advance aggregate anonymize assign backtest batch calculate cancel capture clone complete confirm duplicate earn ' +
    'erase execute explain export import invite launch lock login logout merge pair preview provision recalculate redeem ' +
    'redrive reorder refresh refund regenerate register release replay request resend reset restore retry rotate schedule ' +
    'search send simulate spend submit test transfer unassign unschedule use validate verify void'
  ).split(' '),
);
/** GET asks for something rather than doing it, with these exceptions. */
const READING_VERBS = new Set(['search', 'export', 'preview', 'explain', 'aggregate']);
/** Words that name one thing although no id follows them. */
const SINGULAR =
  /^(metadata|health|history|summary|stats|statistics|calendar|status|settings|balance|me|referral|tier|role|audience|count|analytics|explain|config|set|api-token|audit-log|expiring|loyalty|program|statement|portal-config|brand|clock|.*-(status|count|counts|stats|program|data|audience|config))$/;
const BY_METHOD = { post: 'create', delete: 'delete', patch: 'update', put: 'set', get: 'get' };

/** What the operations of a tag are called in code: `points` of `points.earn`. */
export function groupOf(tag: string): string {
  return (GROUPS[tag] ?? plainGroup(tag)).name;
}

function plainGroup(tag: string): Group {
  const word = tag.toLowerCase().replaceAll(' ', '-');
  return { name: camelCase(word), own: [word] };
}

/**
 * The name of an operation, `<group>.<verb>[<Noun>][For<Owner>]`: from its tag, its method and the words of its path.
 * Where the rule finds no good one, the list of exceptions has it. Names never change once they are published.
 */
export function operationIdOf({
  tag,
  method,
  path,
}: Pick<Route, 'tag' | 'method' | 'path'>): string {
  return EXCEPTIONS[keyOf(method, path)] ?? derivedIdOf({ tag, method, path });
}

/** How the list of exceptions names a route: without the prefix that all have. */
export function keyOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${shortPath(path)}`;
}

function shortPath(path: string): string {
  const rest = path.replace('/service-api/workspace/:workspaceId', '').replace('/service-api', '');
  return rest === '' ? '/' : rest;
}

export function derivedIdOf({ tag, method, path }: Pick<Route, 'tag' | 'method' | 'path'>): string {
  const { name: group, own } = GROUPS[tag] ?? plainGroup(tag);
  const segments = shortPath(path).split('/').filter(Boolean);
  const literals = segments.filter((segment) => !segment.startsWith(':'));
  const isOwned =
    literals.length > 1 &&
    OWNERS.has(literals[0]!) &&
    (segments[1]?.startsWith(':') ?? false) &&
    !own.includes(literals[0]!);
  const noun = `${group.startsWith('staffApp') ? 'mobile-app' : singular(own[0]!)}-`;
  const bare = (word: string) => (word.startsWith(noun) ? word.slice(noun.length) : word);
  const words = literals.slice(isOwned ? 1 : 0);
  const action = actionOf({
    method,
    words: words.filter((word) => !own.includes(word)).map(bare),
    lastWord: words.at(-1) ?? 'workspace',
    segments: segments.map((segment) => (segment.startsWith(':') ? segment : bare(segment))),
  });
  return `${group}.${action}${isOwned ? `For${capital(singular(literals[0]!))}` : ''}`;
}

interface Asked {
  method: Route['method'];
  /** What the path says beyond its group. */
  words: readonly string[];
  lastWord: string;
  segments: readonly string[];
}

function actionOf({ method, words, lastWord, segments }: Asked): string {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const [verb = '', ...object] = last.split('-');
  const nounsOf = (some: readonly string[]) =>
    some
      .map((word) => (isBeforeId(word, segments) ? singular(word) : word))
      .map((word) => capital(camelCase(word)))
      .join('');
  if (VERBS.has(verb) && (method === 'post' || (method === 'get' && READING_VERBS.has(verb))))
    return verb + nounsOf(before) + capital(camelCase(object.join('-')));
  if (method === 'post') return `create${nounsOf(before)}${capital(camelCase(singular(last)))}`;
  if (method !== 'get') return BY_METHOD[method] + nounsOf(words);
  if (SINGULAR.test(last)) return `get${nounsOf(before)}${capital(camelCase(last))}`;
  const isOne = segments.at(-1)?.startsWith(':') || !/s$/.test(words.length > 0 ? last : lastWord);
  return isOne ? `get${nounsOf(words)}` : `list${nounsOf(before)}${capital(camelCase(last))}`;
}

const isBeforeId = (word: string, segments: readonly string[]) =>
  segments[segments.indexOf(word) + 1]?.startsWith(':') ?? false;

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function camelCase(words: string): string {
  return words.replace(/[-_. ]+(\w)/g, (_, first: string) => first.toUpperCase());
}

/** categories -> category, passes -> pass, pushes -> push, rewards -> reward, status -> status */
export function singular(word: string): string {
  if (/(ss|us|is|os)$/.test(word)) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch)es$/, '$1')
    .replace(/([^s])s$/, '$1');
}
