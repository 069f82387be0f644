import type { ServerResponse } from 'node:http';
import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { readErrorBody } from '../../../src/client/errors/errorBodies.ts';
import { Log } from '../../../src/gateway/log.ts';
import { refusalFault, UpstreamRefusal } from '../../../src/gateway/models/upstreamRefusal.ts';
import { wildcard } from '../../../src/protocol/wildcard.ts';

/** A text that comes from outside, by the name of what is wrong with it. */
const texts: Readonly<Record<string, string>> = {
	slashes: '/'.repeat(1_000_000),
	letters: 'a'.repeat(1_000_000),
	equals: '='.repeat(1_000_000),
	parameters: 'a=&'.repeat(330_000),
	titles: '<title'.repeat(160_000),
};

/** Functions that read foreign text on a main thread. */
export const parsers: Readonly<Record<string, (text: string) => unknown>> = {
	'wildcard: many parts': text => wildcard('*/*:free')(text),
	'wildcard: many stars': text => wildcard(`${'*'.repeat(400)}x`)(text),
	'error body of a service': text => readErrorBody(`<${text}`),
	'address in the log': text => {
		const log = new Log('text', () => {});
		log.request('GET', `/?${text}`, { statusCode: 404, writableFinished: true } as ServerResponse, 1);
		log.info(text, { value: text });
		log.flush();
	},
	'refusal of an upstream': text => {
		const refusal = new UpstreamRefusal(400, { 'content-encoding': 'gzip' });
		refusal.add(gzipSync(text));
		return refusalFault(refusal, 'https://service.example');
	},
};

parentPort?.on('message', (name: string) => {
	for (const [kind, text] of Object.entries(texts)) {
		parentPort?.postMessage({ kind });
		parsers[name]?.(text);
	}
	parentPort?.postMessage({ done: true });
});
