/** Names a run as its service keeps it, whoever started it: what a node of a log, or a reply of an agent, hands to a command. */
export interface ServiceRunReference {
	readonly connectionId: string;
	readonly agentName: string;
	/** The service's ID. */
	readonly runId: string;
}

const prefix = 'service';

/** The reference as one text, where a run of this editor has its key. */
export function serviceRunKey({ connectionId, agentName, runId }: ServiceRunReference): string {
	return [prefix, ...[connectionId, agentName, runId].map(encodeURIComponent)].join('/');
}

/** The reference that a key stands for; `undefined` for the key of a run of this editor. */
export function serviceRunOfKey(key: string): ServiceRunReference | undefined {
	const [first, ...parts] = key.split('/');
	if (first !== prefix || parts.length !== 3) {
		return undefined;
	}
	try {
		const [connectionId = '', agentName = '', runId = ''] = parts.map(decodeURIComponent);
		return { connectionId, agentName, runId };
	} catch {
		return undefined;
	}
}

/** The run of a service that a command's argument names. */
export function serviceRunOf(argument: unknown): ServiceRunReference | undefined {
	if (typeof argument !== 'object' || argument === null) {
		return undefined;
	}
	const { connectionId, agentName, runId } = argument as Partial<Record<keyof ServiceRunReference, unknown>>;
	return typeof connectionId === 'string' && typeof agentName === 'string' && typeof runId === 'string' && runId !== ''
		? { connectionId, agentName, runId }
		: undefined;
}
