// What Kubernetes hears of every pod of Laurel: as little right as it needs, probes, resources, and not all on one host.

/** @typedef {Record<string, any>} Manifest */

/**
 * Whether what is lost with a host, or with a zone, is not all of a service.
 *
 * @param {Manifest[] | undefined} constraints
 * @param {Manifest} spec of the deployment
 */
const isSpread = (constraints = [], { selector }) =>
  ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].every((topologyKey) =>
    constraints.some(
      (constraint) =>
        constraint.topologyKey === topologyKey &&
        Object.keys(selector.matchLabels).every(
          (label) => constraint.labelSelector.matchLabels[label] === selector.matchLabels[label],
        ),
    ),
  );

/**
 * Pod Security "restricted", a read-only root, probes and resources.
 *
 * @param {Manifest} deployment
 * @returns {string[]}
 */
export function podProblems({ metadata, spec }) {
  const pod = spec.template.spec;
  /** @type {[boolean, string][]} */
  const rules = [
    [pod.securityContext?.runAsNonRoot === true, 'runAsNonRoot must be true'],
    [
      pod.securityContext?.seccompProfile?.type === 'RuntimeDefault',
      'seccompProfile must be RuntimeDefault',
    ],
    [pod.automountServiceAccountToken === false, 'no service account token is needed'],
    // Of a Service `gateway` Kubernetes would set GATEWAY_PORT=tcp://10.0.0.1:80: in a process of several, its own PORT.
    [pod.enableServiceLinks === false, 'settings are those of the manifest: no service links'],
    [!pod.hostNetwork && !pod.hostPID && !pod.hostIPC, 'nothing of the host is shared'],
    [
      (pod.volumes ?? []).every((/** @type {Manifest} */ volume) => !volume.hostPath),
      'no hostPath',
    ],
    [
      (pod.volumes ?? []).every(
        (/** @type {Manifest} */ { emptyDir }) => !emptyDir || emptyDir.sizeLimit,
      ),
      'an emptyDir has a sizeLimit, or it fills the disk of its node',
    ],
    [isSpread(pod.topologySpreadConstraints, spec), 'its pods are spread over hosts and zones'],
    ...pod.containers.flatMap((/** @type {Manifest} */ container) => [
      [
        container.securityContext?.allowPrivilegeEscalation === false,
        'allowPrivilegeEscalation must be false',
      ],
      [
        container.securityContext?.readOnlyRootFilesystem === true,
        'the root file system must be read-only',
      ],
      [
        container.securityContext?.capabilities?.drop?.includes('ALL') === true,
        'all capabilities must be dropped',
      ],
      [
        Boolean(container.livenessProbe && container.readinessProbe && container.startupProbe),
        'three probes are needed',
      ],
      [
        Boolean(container.resources?.requests?.cpu && container.resources?.limits?.memory),
        'cpu is requested and memory limited',
      ],
    ]),
  ];
  return rules
    .filter(([holds]) => !holds)
    .map(([, rule]) => `Deployment ${metadata.name}: ${rule}`);
}
