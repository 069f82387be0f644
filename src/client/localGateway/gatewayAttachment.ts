import http from 'node:http';
import { Problem } from '#base/problems.ts';
import { fieldsOf } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { GatewayEndpoint } from './gatewayLock.ts';
import { readLines } from './readLines.ts';

/** What an attachment tells its owner. */
interface AttachmentListener {
	/** An agent file came, went or changed. */
	agentsChanged(): void;
	/** A line of the gateway's log, where it was asked for. */
	logged(line: string): void;
	/** The gateway ended it: it stopped, crashed or was killed. Not called after `close`. */
	ended(): void;
}

/** An open attachment: as long as one is open, the gateway stays. */
export interface Attachment {
	/** What the gateway is configured with, as `configurationHash` has it; absent for a gateway of an older version. */
	readonly configuration: string | undefined;
	close(): void;
}

/**
 * Attaches to a running gateway with agents folders of this window (`POST /v1/agent/attach`, beyond the contract): the answer stays
 * open, one JSON object a line. `log`: the gateway's log is told too, with its last lines (`all`) or from now on (`new`). Rejects with a {@link Problem}: `key-refused` (a gateway answered, and does not know the key),
 * `unreachable` (nobody listens, or not a gateway).
 */
export function attach(
	endpoint: GatewayEndpoint,
	agentFolders: readonly string[],
	listener: AttachmentListener,
	log?: 'all' | 'new',
): Promise<Attachment> {
	const { promise, resolve, reject } = Promise.withResolvers<Attachment>();
	const body = JSON.stringify({ agents: agentFolders, log });
	let open = true;
	let attached = false;
	let configuration: string | undefined;
	const attachment: Attachment = {
		get configuration() {
			return configuration;
		},
		close() {
			open = false;
			request.destroy();
		},
	};
	const end = (problem: Problem) => {
		if (open && attached) {
			listener.ended();
		}
		open = false;
		clearTimeout(timer);
		request.destroy();
		reject(problem);
	};
	const read = (line: string) => {
		const told: Told = fieldsOf(tryParseJson(line));
		if (told.attached === true) {
			attached = true;
			configuration = typeof told.configuration === 'string' ? told.configuration : undefined;
			clearTimeout(timer);
			resolve(attachment);
		} else if (told.agents_changed === true && open) {
			listener.agentsChanged();
		} else if (typeof told.log === 'string' && open) {
			for (const each of told.log.split('\n').filter(Boolean)) {
				listener.logged(each);
			}
		}
	};
	const request = http.request(
		`${endpoint.baseUrl}/v1/agent/attach`,
		{
			method: 'POST',
			agent: false,
			headers: {
				authorization: `Bearer ${endpoint.key}`,
				'content-type': 'application/json',
				'content-length': Buffer.byteLength(body),
			},
		},
		response => {
			const status = response.statusCode ?? 0;
			if (status !== 200) {
				end(
					status === 401 || status === 403
						? new Problem('key-refused', 'the gateway refused the key')
						: new Problem('unreachable', `the gateway answered ${status} to an attachment`),
				);
				return;
			}
			readLines(response, read);
			response.on('close', () => end(new Problem('unreachable', 'the gateway closed the attachment')));
		},
	);
	// covers the answer's first line only: an attachment lives as long as the window
	const timer = setTimeout(() => end(new Problem('unreachable', 'the gateway did not answer within 5 s')), 5000);
	request.on('error', error => end(new Problem('unreachable', error.message)));
	request.end(body);
	return promise;
}

interface Told {
	readonly attached?: unknown;
	readonly configuration?: unknown;
	readonly agents_changed?: unknown;
	/** Lines of the log. */
	readonly log?: unknown;
}
