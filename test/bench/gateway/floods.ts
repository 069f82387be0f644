import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { measureWallMs } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { type Contestant, startGateway } from './contestants.ts';
import { readResidentMegabytes } from './process.ts';

const pipelining = { connections: 100, requests: 5_000 };
/** Milliseconds for which the gateway is observed after the last byte was sent. */
const afterwardsMs = 2_000;

/** Sends many requests without a key on many connections, and reads no response. */
export const pipelined: Measure = {
	name: 'pipelined',
	measure: `${pipelining.connections} connections with ${pipelining.requests} pipelined requests each, without a key: memory over idle; slowest health check`,
	unit: 'MB',
	limits: { memory: { most: 150 }, 'health check': { most: 2_000, unit: 'ms' } },
	run: inRounds =>
		inRounds({ warmUp: 0, rounds: 3 }, () =>
			observeFlood(async gateway => {
				const requests = Buffer.from('GET /v1/agent/agents HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(pipelining.requests));
				const sockets = Array.from({ length: pipelining.connections }, () => {
					const socket = net.connect(Number(new URL(gateway.origin).port), '127.0.0.1').pause();
					// the gateway closes connections with too many waiting requests
					socket.on('error', () => {}).write(requests);
					return socket;
				});
				await delay(afterwardsMs);
				for (const socket of sockets) {
					socket.destroy();
				}
			}),
		),
};

const translation = { events: 100_000, characters: 15_000 };

/** Streams a reply of an OpenAI-compatible upstream to a caller of the Messages API, as fast as the caller reads. */
export const translated: Measure = {
	name: 'translated',
	measure: `${(translation.events * translation.characters) / 1e9} GB of events on a translated route: memory over idle; slowest health check`,
	unit: 'MB',
	limits: { memory: { most: 64 }, 'health check': { most: 2_000, unit: 'ms' } },
	async run(inRounds) {
		const upstream = http.createServer((_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			// the gateway may end a reply that is too long
			pipeline(createChatEvents(), response).catch(() => {});
		});
		upstream.listen(0, '127.0.0.1');
		await once(upstream, 'listening');
		let bytes = 0;
		try {
			const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
			const series = await inRounds({ warmUp: 0, rounds: 2 }, () =>
				observeFlood(async gateway => {
					const body = JSON.stringify({
						model: 'gpt-bench',
						max_tokens: 64,
						stream: true,
						messages: [{ role: 'user', content: 'Go on.' }],
					});
					const response = await fetch(gateway.origin + gateway.path, { method: 'POST', headers: gateway.headers, body });
					bytes = 0;
					for await (const chunk of response.body ?? []) {
						bytes += chunk.length;
					}
				}, baseUrl),
			);
			return { ...series, notes: [`the caller received ${Math.round(bytes / 1e6)} MB`] };
		} finally {
			upstream.closeAllConnections();
			upstream.close();
		}
	},
};

function* createChatEvents(): Generator<Buffer> {
	const choices = [{ index: 0, delta: { content: 'word '.repeat(translation.characters / 5) }, finish_reason: null }];
	const event = Buffer.from(
		`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt-bench', choices })}\n\n`,
	);
	for (let i = 0; i < translation.events; i++) {
		yield event;
	}
	yield Buffer.from('data: [DONE]\n\n');
}

/** Starts a gateway, and observes its memory and its health checks during a flood. */
async function observeFlood(flood: (gateway: Contestant) => Promise<void>, upstream?: string) {
	const gateway = await startGateway(upstream);
	try {
		await delay(1_000);
		const idle = readResidentMegabytes(gateway.pid);
		let highest = idle;
		let slowest = 0;
		let ended = false;
		const flooding = flood(gateway).finally(() => {
			ended = true;
		});
		while (!ended) {
			slowest = Math.max(slowest, await measureWallMs(async () => (await fetch(`${gateway.origin}/healthz`)).arrayBuffer()));
			highest = Math.max(highest, readResidentMegabytes(gateway.pid));
			await delay(100);
		}
		await flooding;
		return { values: { memory: highest - idle, 'health check': slowest }, costs: { idle, highest } };
	} finally {
		await gateway.stop();
	}
}
