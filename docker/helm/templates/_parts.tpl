{{- define "toolfleet.image" -}}
{{ with .root.Values.image.registry }}{{ . }}/{{ end }}toolfleet-{{ .image }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}

{{- define "toolfleet.labels" -}}
app.kubernetes.io/name: toolfleet
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "toolfleet.selector" -}}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "toolfleet.pod" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "toolfleet.container" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{- define "toolfleet.mounts" -}}
- {name: home, mountPath: /var/lib/toolfleet}
- {name: tmp, mountPath: /tmp}
{{- if and .bundles .root.Values.bundles.volume }}
- {name: bundles, mountPath: /srv/toolfleet/bundles, readOnly: true}
{{- end }}
{{- with .workspace }}
- {name: workspace, mountPath: /var/lib/toolfleet/workspace}
{{- end }}
{{- end -}}

{{- define "toolfleet.volumes" -}}
- {name: home, emptyDir: {}}
- {name: tmp, emptyDir: {}}
{{- if and .bundles .root.Values.bundles.volume }}
- name: bundles
  {{- toYaml .root.Values.bundles.volume | nindent 2 }}
{{- end }}
{{- with .workspace }}
- {name: workspace, persistentVolumeClaim: {claimName: {{ . }}}}
{{- end }}
{{- end -}}
