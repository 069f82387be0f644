import http from 'node:http';
import type { GatewayProcess } from '../../contract/gateway/gatewayProcess.ts';

/** Sends requests to a gateway over one connection. */
export interface Caller {
	/** Resolves to the response, and the milliseconds until its end. */
	sendRequest(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<{ readonly ms: number; readonly text: string }>;
	close(): void;
}

export function createCaller({ baseUrl, apiKey }: Pick<GatewayProcess, 'baseUrl' | 'apiKey'>): Caller {
	const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
	return {
		close: () => agent.destroy(),
		sendRequest(method, path, body) {
			const text = body === undefined ? '' : JSON.stringify(body);
			const began = performance.now();
			return new Promise((resolve, reject) => {
				const request = http.request(new URL(path, baseUrl), {
					agent,
					method,
					headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
				});
				request.on('error', reject);
				request.on('response', response => {
					const chunks: Buffer[] = [];
					response.on('data', chunk => chunks.push(chunk));
					response.on('error', reject);
					response.on('end', () => resolve({ ms: performance.now() - began, text: Buffer.concat(chunks).toString() }));
				});
				request.end(text);
			});
		},
	};
}

/** Runs an agent and resolves to the milliseconds until the end of its stream, and its output `text`. Rejects if it doesn't succeed. */
export async function runToEnd(caller: Caller, body: unknown): Promise<{ readonly ms: number; readonly answer: string }> {
	const { ms, text } = await caller.sendRequest('POST', '/v1/agent/workflows/run', body);
	const start = text.lastIndexOf('{"event":"workflow_finished"');
	const end =
		start === -1
			? undefined
			: (JSON.parse(text.slice(start).split('\n\n')[0] ?? '') as { data: { status: string; outputs: { text?: string } } });
	if (end?.data.status !== 'succeeded') {
		throw new Error(`the run did not succeed: ${text.slice(-500)}`);
	}
	return { ms, answer: end.data.outputs.text ?? '' };
}
