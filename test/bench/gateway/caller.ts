import Agent from 'undici/lib/dispatcher/agent.js';
import type { Contestant } from './contestants.ts';

/**
 * Closes idle connections before a contestant does (Node: after 5 s), so that no request is sent on a connection that is just being closed.
 */
const agent = new Agent({ keepAliveTimeout: 2_000, keepAliveMaxTimeout: 2_000 });

/** Body of a small request. */
export const plainBody = JSON.stringify({
	model: 'bench',
	max_tokens: 64,
	messages: [{ role: 'user', content: 'Tell me something about passthroughs, in a few words. '.repeat(4) }],
});

/** Creates the body of a request for a stream with this many events. */
export function createStreamBody(events: number): string {
	return JSON.stringify({ model: 'bench', max_tokens: events, stream: true, messages: [{ role: 'user', content: 'Go on.' }] });
}

/** Milliseconds of one request, and the bytes received. */
export interface Call {
	readonly firstByteMs: number;
	readonly totalMs: number;
	readonly bytes: number;
}

/** Sends one request and reads its response to the end. Rejects for a status other than 200. */
export function sendRequest({ origin, path, headers }: Contestant, body: string): Promise<Call> {
	const started = performance.now();
	let firstByteMs = 0;
	let bytes = 0;
	return new Promise((resolve, reject) => {
		agent.dispatch(
			{ origin, path, method: 'POST', headers, body },
			{
				onRequestStart() {},
				onResponseStart(controller, status) {
					if (status !== 200) {
						controller.abort(new Error(`${origin} answered ${status}`));
					}
				},
				onResponseData(_controller, piece) {
					firstByteMs ||= performance.now() - started;
					bytes += piece.length;
				},
				onResponseEnd() {
					resolve({ firstByteMs, totalMs: performance.now() - started, bytes });
				},
				onResponseError(_controller, error) {
					reject(error);
				},
			},
		);
	});
}

/** Sends this many requests, `inFlight` of them concurrently. Returns the milliseconds for all of them. */
export async function sendRequestBurst(target: Contestant, requests: number, inFlight: number, body = plainBody): Promise<number> {
	let left = requests;
	const sendRequests = async () => {
		while (left-- > 0) {
			await sendRequest(target, body);
		}
	};
	const started = performance.now();
	await Promise.all(Array.from({ length: inFlight }, sendRequests));
	return performance.now() - started;
}
