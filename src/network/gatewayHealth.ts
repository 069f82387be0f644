import http from 'node:http';
import { fieldOf } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';

/**
 * The instance that a gateway names on `/healthz`; `undefined` if nothing responds in time, or no gateway. It is asked without the key: the
 * port that a crash left in a lock can be anybody's by now.
 */
export function instanceAt(host: string, port: number, timeoutMs: number): Promise<string | undefined> {
	const { promise, resolve } = Promise.withResolvers<string | undefined>();
	const request = http.get({ host, port, path: '/healthz', agent: false }, response => {
		let text = '';
		response.setEncoding('utf8');
		response.on('data', (part: string) => {
			text += part;
			// whatever listens there may send without end
			if (text.length > 4096) {
				request.destroy();
			}
		});
		response.on('close', () => {
			const instance = response.statusCode === 200 ? fieldOf(tryParseJson(text), 'instance') : undefined;
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
