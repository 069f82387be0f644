import http from 'node:http';
import { Problem } from '#base/problems.ts';
import { toFields } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import type { GatewayEndpoint } from './gatewayLock.ts';
import { readLines } from './readLines.ts';

/** Receives events of an attachment. */
interface AttachmentListener {
	/** An agent file was added, removed or changed. */
	onAgentsChanged(): void;
	/** A line of the gateway's log, if requested. */
	onLog(line: string): void;
	/** The gateway closed the attachment: it stopped, crashed or was killed. Not called after `close`. */
	onEnd(): void;
}

/** An open attachment. The gateway keeps running while any is open. */
export interface Attachment {
	/** The gateway's configuration as `configurationHash`; absent for gateways of older versions. */
	readonly configuration: string | undefined;
	/** True if the gateway reported other attachments too. Gateways of older versions don't. */
	readonly isShared: boolean;
	close(): void;
}

/**
 * Attaches to a running gateway with this window's agent folders (`POST /v1/agent/attach`, not in the contract). The response stays open
 * and sends one JSON object per line. `log` also requests the gateway's log, including its last lines (`all`) or only new ones (`new`).
 * Rejects with a {@link Problem}: `key-refused` (a gateway responded but doesn't know the key) or `unreachable` (nothing listens, or it
 * isn't a gateway).
 */
export function attachToGateway(
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
	let attachments = 1;
	const attachment: Attachment = {
		get configuration() {
			return configuration;
		},
		get isShared() {
			return attachments > 1;
		},
		close() {
			open = false;
			request.destroy();
		},
	};
	const endAttachment = (problem: Problem) => {
		if (open && attached) {
			listener.onEnd();
		}
		open = false;
		clearTimeout(timer);
		request.destroy();
		reject(problem);
	};
	const readMessage = (line: string) => {
		const message: AttachmentMessage = toFields(tryParseJson(line));
		if (message.attached === true) {
			attached = true;
			configuration = typeof message.configuration === 'string' ? message.configuration : undefined;
			resolve(attachment);
		} else if (typeof message.attachments === 'number') {
			attachments = message.attachments;
		} else if (message.agents_changed === true && open) {
			listener.onAgentsChanged();
		} else if (typeof message.log === 'string' && open) {
			for (const each of message.log.split('\n').filter(Boolean)) {
				listener.onLog(each);
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
				endAttachment(
					status === 401 || status === 403
						? new Problem('key-refused', localizable`The gateway refused the key.`)
						: new Problem('unreachable', localizable`The gateway responded with status ${status}.`),
				);
				return;
			}
			clearTimeout(timer);
			readLines(response, readMessage);
			response.on('close', () => endAttachment(new Problem('unreachable', localizable`The gateway closed the connection.`)));
		},
	);
	// only the head of the response has a time limit: the gateway then reads the agent folders, and an attachment stays open as long as the
	// window
	const timer = setTimeout(
		() => endAttachment(new Problem('unreachable', localizable`The gateway didn't respond within 5 seconds.`)),
		5000,
	);
	request.on('error', error => endAttachment(new Problem('unreachable', error.message)));
	request.end(body);
	return promise;
}

interface AttachmentMessage {
	readonly attached?: unknown;
	readonly configuration?: unknown;
	/** Number of clients attached now. */
	readonly attachments?: unknown;
	readonly agents_changed?: unknown;
	/** Log lines. */
	readonly log?: unknown;
}
