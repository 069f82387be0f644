/** Names a run as its service keeps it, whoever started it: what a node of a log, or a reply of an agent, hands to a command. */
export interface ServiceRunReference {
	readonly connectionId: string;
	readonly agentName: string;
	/** The service's ID. */
	readonly runId: string;
	/** The app of a deployment whose management tells of the run. */
	readonly app?: ManagedAppReference;
}

/** An app of a Dify deployment; `published`: the run was of what is published there, not of its draft. */
interface ManagedAppReference {
	readonly id: string;
	readonly mode: string;
	readonly published: boolean;
}

const prefix = 'service';

/** The reference as one text, where a run of this editor has its key. */
export function serviceRunKey({ connectionId, agentName, runId, app }: ServiceRunReference): string {
	const ofApp = app ? [app.id, app.mode, app.published ? 'published' : 'draft'] : [];
	return [prefix, ...[connectionId, agentName, runId, ...ofApp].map(encodeURIComponent)].join('/');
}

/** The reference that a key stands for; `undefined` for the key of a run of this editor. */
export function serviceRunOfKey(key: string): ServiceRunReference | undefined {
	const [first, ...parts] = key.split('/');
	if (first !== prefix || (parts.length !== 3 && parts.length !== 6)) {
		return undefined;
	}
	try {
		const [connectionId = '', agentName = '', runId = '', id, mode = '', kind] = parts.map(decodeURIComponent);
		return { connectionId, agentName, runId, ...(id === undefined ? {} : { app: { id, mode, published: kind === 'published' } }) };
	} catch {
		return undefined;
	}
}

/** The run of a service that a command's argument names. */
export function serviceRunOf(argument: unknown): ServiceRunReference | undefined {
	if (typeof argument !== 'object' || argument === null) {
		return undefined;
	}
	const { connectionId, agentName, runId, app } = argument as Partial<Record<'connectionId' | 'agentName' | 'runId', unknown>> &
		Pick<ServiceRunReference, 'app'>;
	return typeof connectionId === 'string' && typeof agentName === 'string' && typeof runId === 'string' && runId !== ''
		? { connectionId, agentName, runId, ...(app ? { app } : {}) }
		: undefined;
}
