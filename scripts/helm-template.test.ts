import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { renderChart } from './helm-template.mjs';

let chart: string;
beforeEach(() => {
  chart = mkdtempSync(path.join(tmpdir(), 'laurel-chart-'));
  mkdirSync(path.join(chart, 'templates'));
  writeFileSync(path.join(chart, 'Chart.yaml'), 'name: test\nappVersion: 1.2.3\n');
});
afterEach(() => rmSync(chart, { recursive: true }));

function rendered(template: string, values = '{}'): string {
  writeFileSync(path.join(chart, 'templates/a.yaml'), template);
  writeFileSync(path.join(chart, 'values.yaml'), values);
  return renderChart(chart, { name: 'mine', namespace: 'here' });
}

// What helm prints for the same, from its documentation of the language.
test.each([
  ['a: {{ .Chart.AppVersion }}', '{}', 'a: 1.2.3'],
  ['a:\n  {{- if .Values.b }}\n  b: 1\n  {{- else }}\n  c: 1\n  {{- end }}', 'b: 0', 'a:\n  c: 1'],
  ['{{ range $k, $v := .Values }}{{ $k }}={{ $v }};{{ end }}', 'b: 2\na: 1', 'a=1;b=2;'],
  ['{{ range .Values.l }}-{{ . }}{{ end }}', 'l: [x, y]', '-x-y'],
  ['{{ with .Values.a }}{{ .b }}{{ else }}none{{ end }}', 'a: { b: 5 }', '5'],
  ['{{ with .Values.a }}{{ .b }}{{ else }}none{{ end }}', 'a: {}', 'none'],
  ['{{ default "x" .Values.a | quote }}', 'a: ""', '"x"'],
  ['a:{{ toYaml .Values.a | nindent 2 }}', 'a: { b: [1] }', 'a:\n  b:\n    - 1'],
  ['{{ define "n" }}[{{ .x }}]{{ end }}{{ include "n" (dict "x" 7) }}', '{}', '[7]'],
  ['{{ $a := mustMerge (dict "x" 1) .Values }}{{ $a.x }}{{ $a.y }}', 'x: 2\ny: 3', '13'],
  ['{{ $a := mustMergeOverwrite (dict) (dict "x" 1) .Values }}{{ $a.x }}', 'x: 2', '2'],
  ['{{ hasKey .Values "a" }} {{ hasKey .Values "b" }}', 'a: ""', 'true false'],
  ['{{ (.Values.none).http }}!', '{}', '!'],
])('%s', (template, values, expected) => {
  expect(rendered(template, values)).toBe(expected);
});

test.each([
  ['a function that helm has and this does not', '{{ randAlpha 5 }}', 'randAlpha'],
  ['a variable that is not there', '{{ $nothing }}', 'no variable'],
  ['what it cannot read', '{{ .a ~ .b }}', 'cannot read'],
])('%s is an error, not a guess', (_what, template, message) => {
  expect(() => rendered(template)).toThrow(message);
});
