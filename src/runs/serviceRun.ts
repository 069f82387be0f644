/** Identifies a run on its service, even if another client started it. Passed to commands by a log's node or an agent's reply. */
export interface ServiceRunReference {
	readonly connectionId: string;
	readonly agentName: string;
	/** The service's ID. */
	readonly runId: string;
	/** The app in Dify, if the run is read through the management API. */
	readonly app?: ManagedAppReference;
}

/** A Dify app; `published`: the run was of the published version, not of the draft. */
interface ManagedAppReference {
	readonly id: string;
	readonly mode: string;
	readonly published: boolean;
}

const prefix = 'service';

/** Converts the reference to a string that can be used like a local run's key. */
export function formatServiceRunKey({ connectionId, agentName, runId, app }: ServiceRunReference): string {
	const ofApp = app ? [app.id, app.mode, app.published ? 'published' : 'draft'] : [];
	return [prefix, ...[connectionId, agentName, runId, ...ofApp].map(encodeURIComponent)].join('/');
}

/** Parses a key made by {@link formatServiceRunKey}; `undefined` for the key of a local run. */
export function parseServiceRunKey(key: string): ServiceRunReference | undefined {
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

/** Reads the reference from a command's argument. */
export function readServiceRun(argument: unknown): ServiceRunReference | undefined {
	if (typeof argument !== 'object' || argument === null) {
		return undefined;
	}
	const { connectionId, agentName, runId, app } = argument as Partial<Record<'connectionId' | 'agentName' | 'runId', unknown>> &
		Pick<ServiceRunReference, 'app'>;
	return typeof connectionId === 'string' && typeof agentName === 'string' && typeof runId === 'string' && runId !== ''
		? { connectionId, agentName, runId, ...(app ? { app } : {}) }
		: undefined;
}
