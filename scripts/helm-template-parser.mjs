// The syntax of the chart's templates: text, {{ actions }} and the blocks that they open.

/**
 * @typedef {{ kind: 'literal', value: unknown }
 *   | { kind: 'variable', name: string }
 *   | { kind: 'path', from: Expression | null, names: string[] }
 *   | { kind: 'call', name: string, given: Expression[] }} Expression
 * @typedef {{ kind: 'text', text: string }
 *   | { kind: 'print', expression: Expression }
 *   | { kind: 'assign', name: string, expression: Expression }
 *   | { kind: 'if' | 'with', expression: Expression, body: Node[], otherwise: Node[] }
 *   | { kind: 'range', expression: Expression, names: string[], body: Node[] }} Node
 */

const ACTION = /\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}/g;
const TOKEN =
  /\s*("(?:[^"\\]|\\.)*"|\$?[A-Za-z_]\w*|\$|-?\d+|(?:\.[A-Za-z_]\w*)+|\.|\(|\)|\||:=|,)/y;

/**
 * @param {string} source
 * @returns {({ text: string } | { action: string })[]} text with the white space taken that `{{-` and `-}}` take
 */
function split(source) {
  /** @type {({ text: string } | { action: string })[]} */
  const pieces = [];
  let [from, trim] = [0, false];
  const push = (/** @type {number} */ to, /** @type {boolean} */ trimEnd) => {
    const text = source.slice(from, to);
    const started = trim ? text.trimStart() : text;
    pieces.push({ text: trimEnd ? started.trimEnd() : started });
  };
  for (const match of source.matchAll(ACTION)) {
    push(match.index, match[1] === '-');
    pieces.push({ action: /** @type {string} */ (match[2]) });
    [from, trim] = [match.index + match[0].length, match[3] === '-'];
  }
  push(source.length, false);
  return pieces;
}

/** A path that begins behind a space keeps it: `$a .b` are two things, `$a.b` is one. @param {string} action @returns {string[]} */
function tokensOf(action) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < action.length; at = TOKEN.lastIndex) {
    const match = TOKEN.exec(action);
    if (!match) throw new Error(`cannot read {{ ${action} }}`);
    const token = /** @type {string} */ (match[1]);
    tokens.push(/^\s+\./.test(match[0]) ? ` ${token}` : token);
  }
  return tokens;
}

/** @param {string} token @returns {unknown} */
function literal(token) {
  if (token.startsWith('"')) return JSON.parse(token);
  return token === 'true' || token === 'false' ? token === 'true' : Number(token);
}

const isLiteral = (/** @type {string} */ token) => /^("|-?\d|true$|false$)/.test(token);

/** Reads one pipeline: `default "x" .a | quote`. */
class Pipeline {
  /** @param {string[]} tokens */
  constructor(tokens) {
    this.tokens = tokens;
  }

  /** @returns {Expression} */
  read() {
    let expression = this.#command();
    while (this.tokens[0] === '|') {
      this.tokens.shift();
      const next = this.#command();
      if (next.kind !== 'call') throw new Error('only a function can stand behind |');
      expression = { ...next, given: [...next.given, expression] };
    }
    return expression;
  }

  /** @returns {Expression} */
  #command() {
    const [first = ''] = this.tokens;
    if (!/^[A-Za-z_]/.test(first) || isLiteral(first)) return this.#operand();
    this.tokens.shift();
    /** @type {Expression[]} */
    const given = [];
    while (this.tokens.length > 0 && !['|', ')'].includes(/** @type {string} */ (this.tokens[0])))
      given.push(this.#operand());
    return { kind: 'call', name: first, given };
  }

  /** @returns {Expression} */
  #operand() {
    const token = (this.tokens.shift() ?? '').trim();
    if (token === '.') return { kind: 'path', from: null, names: [] };
    if (token.startsWith('.'))
      return { kind: 'path', from: null, names: token.slice(1).split('.') };
    if (isLiteral(token)) return { kind: 'literal', value: literal(token) };
    if (token.startsWith('$')) return this.#members({ kind: 'variable', name: token });
    if (token !== '(') return { kind: 'call', name: token, given: [] };
    const inner = this.read();
    if (this.tokens.shift() !== ')') throw new Error('a bracket is not closed');
    return this.#members(inner);
  }

  /** What follows without a space: `$x.a.b`, `(...).a`. @param {Expression} from @returns {Expression} */
  #members(from) {
    const [next = ''] = this.tokens;
    if (!/^\.\w/.test(next)) return from;
    this.tokens.shift();
    return { kind: 'path', from, names: next.slice(1).split('.') };
  }
}

/** @param {string[]} tokens */
function wholePipeline(tokens) {
  const pipeline = new Pipeline([...tokens]);
  const expression = pipeline.read();
  if (pipeline.tokens.length > 0) throw new Error(`left over: ${pipeline.tokens.join(' ')}`);
  return expression;
}

/**
 * @param {string} source
 * @param {string} file named in errors
 * @returns {{ nodes: Node[], defined: Map<string, Node[]> }}
 */
export function parseTemplate(source, file) {
  const pieces = split(source);
  /** @type {Map<string, Node[]>} */
  const defined = new Map();
  try {
    return { nodes: block(pieces, defined).nodes, defined };
  } catch (error) {
    throw new Error(`${file}: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * Everything up to the `end` or `else` of this block, or the end of the file.
 *
 * @param {ReturnType<typeof split>} pieces
 * @param {Map<string, Node[]>} defined
 * @returns {{ nodes: Node[], closedBy: string }}
 */
function block(pieces, defined) {
  /** @type {Node[]} */
  const nodes = [];
  for (;;) {
    const piece = pieces.shift();
    if (!piece) return { nodes, closedBy: '' };
    if ('text' in piece) nodes.push({ kind: 'text', text: piece.text });
    else if (piece.action === 'end' || piece.action === 'else')
      return { nodes, closedBy: piece.action };
    else if (!piece.action.startsWith('/*')) nodes.push(...node(piece.action, pieces, defined));
  }
}

/**
 * @param {string} action
 * @param {ReturnType<typeof split>} pieces
 * @param {Map<string, Node[]>} defined
 * @returns {Node[]}
 */
function node(action, pieces, defined) {
  const [word = '', ...rest] = tokensOf(action);
  if (rest[0] === ':=' && word.startsWith('$'))
    return [{ kind: 'assign', name: word, expression: wholePipeline(rest.slice(1)) }];
  if (word === 'define') {
    defined.set(String(literal(rest[0] ?? '')), block(pieces, defined).nodes);
    return [];
  }
  if (word === 'range') {
    const at = rest.indexOf(':=');
    const names = rest.slice(0, Math.max(at, 0)).filter((token) => token !== ',');
    const expression = wholePipeline(rest.slice(at + 1));
    return [{ kind: 'range', names, expression, body: block(pieces, defined).nodes }];
  }
  if (word !== 'if' && word !== 'with')
    return [{ kind: 'print', expression: wholePipeline([word, ...rest]) }];
  const { nodes: body, closedBy } = block(pieces, defined);
  const otherwise = closedBy === 'else' ? block(pieces, defined).nodes : [];
  return [{ kind: word, expression: wholePipeline(rest), body, otherwise }];
}
