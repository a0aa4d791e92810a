{{- define "laurel.labels" -}}
app.kubernetes.io/part-of: laurel
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/name: {{ .name }}
{{- end -}}

{{- define "laurel.settings" -}}
{{- toYaml (mustMergeOverwrite (deepCopy .root.Values.defaults) (deepCopy (default dict .service))) -}}
{{- end -}}
