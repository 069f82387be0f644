/** Modes of apps without a graph, which are described by `model_config`. */
const modelModes = ['chat', 'completion', 'agent-chat'] as const;
export type ModelMode = (typeof modelModes)[number];

/** Modes of apps that have a graph. */
const graphModes = ['workflow', 'advanced-chat'] as const;

/** Modes of all apps that can be run. */
export const appModes = [...graphModes, ...modelModes, 'agent'] as const;
/** `workflow` and `completion` apps run once per request; the others reply within a conversation. */
export type AppMode = (typeof appModes)[number];

/** True if an app of this mode runs once per request and has no conversations. */
export function isOneShotMode(mode: AppMode): boolean {
	return mode === 'workflow' || mode === 'completion';
}

/** True if an app of this mode has a graph. Other apps don't report runs of nodes to chat users. */
export function hasGraph(mode: AppMode): mode is (typeof graphModes)[number] {
	return graphModes.some(known => known === mode);
}

/** Returns the field of the file that describes an app of this mode. */
export function getMainPart(mode: string): 'workflow' | 'model_config' | 'agent' {
	return mode === 'agent' ? 'agent' : modelModes.some(known => known === mode) ? 'model_config' : 'workflow';
}
