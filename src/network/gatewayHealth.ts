import http from 'node:http';
import { getField } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';

/**
 * Returns the instance ID that a gateway reports on `/healthz`. Returns `undefined` if there is no response in time, or if it isn't from a
 * gateway. Doesn't send the key, because another program may use the port of a stale lock by now.
 */
export function fetchInstanceId(host: string, port: number, timeoutMs: number): Promise<string | undefined> {
	const { promise, resolve } = Promise.withResolvers<string | undefined>();
	const request = http.get({ host, port, path: '/healthz', agent: false }, response => {
		let text = '';
		response.setEncoding('utf8');
		response.on('data', (part: string) => {
			text += part;
			// another program may send data endlessly
			if (text.length > 4096) {
				request.destroy();
			}
		});
		response.on('close', () => {
			const instance = response.statusCode === 200 ? getField(tryParseJson(text), 'instance') : undefined;
			resolve(typeof instance === 'string' ? instance : undefined);
		});
		response.on('error', () => {});
	});
	const timer = setTimeout(() => request.destroy(), timeoutMs);
	request.on('error', () => resolve(undefined));
	request.on('close', () => {
		clearTimeout(timer);
		resolve(undefined);
	});
	return promise;
}
