import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that keeps its answers back, and an agent that asks it: a run of it lasts as long as a test wants, on a slow machine too. */
export interface HeldAgent {
	/** Its agent file; the gateway must be allowed to reach private networks. */
	readonly source: string;
	/** Answers all who wait and who will ask. */
	release(): void;
	close(): Promise<void>;
}

/** Settings under which the built-in gateway lets an agent ask a server on loopback. */
export const heldAgentSettings = { 'agentWorkbench.gateway.allowPrivateNetwork': true };

export async function startHeldAgent(name: string): Promise<HeldAgent> {
	let release = (): void => {};
	const released = new Promise<void>(resolve => {
		release = resolve;
	});
	const server = http.createServer((request, response) => {
		request.resume();
		void released.then(() => response.end('done'));
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	return {
		source: agentFile(name, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
		release,
		async close() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

const agentFile = (name: string, url: string): string => `version: "0.6.0"
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
