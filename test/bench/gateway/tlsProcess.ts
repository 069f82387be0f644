// Opens twenty TLS connections concurrently, with the gateway's Upstreams or a bare undici Agent, and prints the longest block of the event
// loop in ms.
import tls from 'node:tls';
import Agent from 'undici/lib/dispatcher/agent.js';
import type Dispatcher from 'undici/types/dispatcher';
import { Upstreams } from '../../../src/models/upstreams.ts';
import { createDispatcherFetch } from '../../../src/network/fetchThrough.ts';

const [, , contender, origin = ''] = process.argv;
const connections = 20;

let longest = 0;
let last = performance.now();
let measuring = true;
const updateLongestBlock = () => {
	const now = performance.now();
	longest = Math.max(longest, now - last);
	last = now;
	if (measuring) {
		setImmediate(updateLongestBlock);
	}
};
setImmediate(updateLongestBlock);

const dispatch = contender === 'upstreams' ? new Upstreams({ strictSSL: false, environment: {} }).dispatch : createUndiciDispatch();
const fetch = createDispatcherFetch(dispatch);
await Promise.all(Array.from({ length: connections }, () => fetch(origin).then(response => response.text())));
measuring = false;
process.stdout.write(`${JSON.stringify(longest)}\n`, () => process.exit(0));

function createUndiciDispatch(): (options: Dispatcher.DispatchOptions & { origin: string }, handler: Dispatcher.DispatchHandler) => void {
	const ca = [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])];
	const agent = new Agent({ allowH2: false, connect: { secureContext: tls.createSecureContext({ ca }), rejectUnauthorized: false } });
	return (options, handler) => void agent.dispatch(options, handler);
}
