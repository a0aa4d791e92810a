// Renders our chart where there is no helm: the part of its template language that the chart uses, and an error for
// everything else, so that what is rendered here is what helm would render. Not a helm for other charts.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseYaml, stringify } from 'yaml';
import { parseTemplate } from './helm-template-parser.mjs';

/** @typedef {import('./helm-template-parser.mjs').Node} Node */
/** @typedef {import('./helm-template-parser.mjs').Expression} Expression */
/** @typedef {{ dot: any, variables: Map<string, any> }} Scope */

const isMap = (/** @type {any} */ value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What Go's templates take for true. @param {any} value */
const isTrue = (value) =>
  Array.isArray(value)
    ? value.length > 0
    : isMap(value)
      ? Object.keys(value).length > 0
      : Boolean(value);

/** @param {any} into @param {any} from @param {boolean} overwrite */
function merge(into, from, overwrite) {
  for (const [key, value] of Object.entries(from)) {
    if (isMap(into[key]) && isMap(value)) merge(into[key], value, overwrite);
    else if (overwrite || !isTrue(into[key])) into[key] = value;
  }
  return into;
}

/** @param {number} width @param {string} text */
const indented = (width, text) => text.replace(/^/gm, ' '.repeat(width));

const toYaml = (/** @type {any} */ value) => stringify(value, { lineWidth: 0 }).trimEnd();

/** @type {Record<string, (...values: any[]) => any>} */
const FUNCTIONS = {
  and: (...values) =>
    values.every(isTrue) ? values.at(-1) : values.find((value) => !isTrue(value)),
  deepCopy: (value) => structuredClone(value),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  dict: (...pairs) =>
    Object.fromEntries(pairs.flatMap((key, at) => (at % 2 === 0 ? [[key, pairs[at + 1]]] : []))),
  fromYaml: (text) => parseYaml(text),
  hasKey: (map, key) => Object.hasOwn(map, key),
  index: (value, ...keys) => keys.reduce((at, key) => at?.[key], value),
  mustMerge: (into, ...from) => from.reduce((to, each) => merge(to, each, false), into),
  mustMergeOverwrite: (into, ...from) => from.reduce((to, each) => merge(to, each, true), into),
  nindent: (width, text) => `\n${indented(width, text)}`,
  or: (...values) => values.find((value) => isTrue(value)) ?? values.at(-1),
  not: (value) => !isTrue(value),
  quote: (value) => JSON.stringify(String(value)),
  toJson: (value) => JSON.stringify(value),
  join: (separator, list) => list.join(separator),
  toYaml,
  upper: (text) => String(text).toUpperCase(),
};

/**
 * @param {string} folder of the chart
 * @param {{ name: string, namespace: string, values?: object }} release values that are set besides those of the chart
 * @returns {string} what `helm template` prints
 */
export function renderChart(folder, { name, namespace, values = {} }) {
  const read = (/** @type {string} */ file) => readFileSync(path.join(folder, file), 'utf8');
  const chart = parseYaml(read('Chart.yaml'));
  const root = {
    Values: merge(parseYaml(read('values.yaml')), values, true),
    Chart: { Name: chart.name, AppVersion: chart.appVersion },
    Release: { Name: name, Namespace: namespace },
  };
  const files = readdirSync(path.join(folder, 'templates')).sort();
  const parsed = files.map((file) => parseTemplate(read(path.join('templates', file)), file));
  const renderer = new Renderer(new Map(parsed.flatMap(({ defined }) => [...defined])));
  return parsed
    .map(({ nodes }) => renderer.render(nodes, { dot: root, variables: new Map([['$', root]]) }))
    .filter((text) => text.trim() !== '')
    .join('\n---\n');
}

class Renderer {
  /** @param {Map<string, Node[]>} defined */
  constructor(defined) {
    this.defined = defined;
  }

  /** @param {Node[]} nodes @param {Scope} scope @returns {string} */
  render(nodes, scope) {
    return nodes.map((node) => this.#one(node, scope)).join('');
  }

  /** @param {Node} node @param {Scope} scope @returns {string} */
  #one(node, scope) {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'range') return this.#range(node, scope);
    const value = this.#value(node.expression, scope);
    if (node.kind === 'assign') {
      scope.variables.set(node.name, value);
      return '';
    }
    if (node.kind === 'print') return value === null || value === undefined ? '' : String(value);
    const chosen = isTrue(value) ? node.body : node.otherwise;
    const dot = node.kind === 'with' && isTrue(value) ? value : scope.dot;
    return this.render(chosen, { dot, variables: new Map(scope.variables) });
  }

  /** @param {Extract<Node, { kind: 'range' }>} node @param {Scope} scope */
  #range({ expression, names, body }, scope) {
    const over = this.#value(expression, scope) ?? {};
    /** @type {[any, any][]} */
    const entries = Array.isArray(over)
      ? [...over.entries()]
      : Object.keys(over)
          .sort()
          .map((key) => [key, over[key]]);
    return entries
      .map(([key, value]) => {
        const variables = new Map(scope.variables);
        const [first, second] = names;
        if (second !== undefined)
          variables.set(/** @type {string} */ (first), key).set(second, value);
        else if (first !== undefined) variables.set(first, value);
        return this.render(body, { dot: value, variables });
      })
      .join('');
  }

  /** @param {Expression} expression @param {Scope} scope @returns {any} */
  #value(expression, scope) {
    if (expression.kind === 'literal') return expression.value;
    if (expression.kind === 'path') {
      const from = expression.from === null ? scope.dot : this.#value(expression.from, scope);
      return expression.names.reduce((/** @type {any} */ at, name) => at?.[name], from);
    }
    if (expression.kind === 'variable') {
      if (!scope.variables.has(expression.name)) throw new Error(`no variable ${expression.name}`);
      return scope.variables.get(expression.name);
    }
    const values = expression.given.map((each) => this.#value(each, scope));
    if (expression.name === 'include') return this.#include(values[0], values[1]);
    const call = FUNCTIONS[expression.name];
    if (!call) throw new Error(`the chart calls ${expression.name}, which is not known here`);
    return call(...values);
  }

  /** @param {string} name @param {any} dot */
  #include(name, dot) {
    const nodes = this.defined.get(name);
    if (!nodes) throw new Error(`no template ${name} is defined`);
    return this.render(nodes, { dot, variables: new Map([['$', dot]]) });
  }
}
