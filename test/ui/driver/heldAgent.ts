import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that delays its responses, and an agent that calls it: a run lasts as long as a test needs, on a slow machine too. */
export interface HeldAgent {
	/** Its agent file; the gateway must allow requests to private networks. */
	readonly source: string;
	/** Answers all pending and future requests. */
	releaseRequests(): void;
	close(): Promise<void>;
}

/** Settings with which the built-in gateway lets an agent call a server on loopback. */
export const heldAgentSettings = { 'agentWorkbench.gateway.allowPrivateNetwork': true };

export async function startHeldAgent(name: string): Promise<HeldAgent> {
	let releaseRequests = (): void => {};
	const released = new Promise<void>(resolve => {
		releaseRequests = resolve;
	});
	const server = http.createServer((request, response) => {
		request.resume();
		void released.then(() => response.end('done'));
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	return {
		source: createAgentFile(name, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
		releaseRequests,
		async close() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

const createAgentFile = (name: string, url: string): string => `version: "0.6.0"
kind: app
app: { name: ${name}, mode: workflow }
workflow:
  graph:
    nodes:
      - { id: start, data: { type: start, title: Start, variables: [] } }
      - id: ask
        data:
          type: http-request
          title: Ask
          method: get
          url: ${url}
          authorization: { type: no-auth, config: null }
          headers: ""
          params: ""
          body: { type: none, data: [] }
          timeout: { connect: 60, read: 300, write: 60 }
      - { id: end, data: { type: end, title: End, outputs: [{ variable: answer, value_selector: [ask, body] }] } }
    edges:
      - { id: a, source: start, target: ask }
      - { id: b, source: ask, target: end }
`;
