import fs from 'node:fs';
import path from 'node:path';
import { createChatAgent, createGreetingAgent, createWaitingAgent } from '../contract/gateway/agents.ts';
import { startGateway } from '../contract/gateway/gatewayProcess.ts';
import { RecordingUpstream } from '../contract/recordingUpstream.ts';
import type { Outcome } from './outcome.ts';
import { readMemory } from './table.ts';
import { actions } from './traffic.ts';
import { compareTenths, type Sample } from './verdict.ts';

/** Milliseconds that a user waits between two requests, because the soak looks for growth, not for slowness. */
const pauseMs = 20;

/**
 * Runs mixed traffic of this many users against a separate gateway. The gateway writes its memory to `figures`, because the environment
 * loads the probe into it.
 */
export async function runGatewaySoak(durationMs: number, users: number, figures: string): Promise<Outcome> {
	const upstream = await startUpstream();
	const gateway = await startGateway({
		agents: { greeter: createGreetingAgent(), waiter: createWaitingAgent(), chatter: createChatAgent() },
		config: { routes: [{ model: 'claude-soak', provider: 'anthropic', base_url: upstream.baseUrl, key: 'up' }] },
		keys: { up: 'the-key-of-the-upstream' },
	});
	const samples: Sample[] = [];
	const failures: string[] = [];
	const began = Date.now();
	const end = began + durationMs;
	const measureStoreSize = () =>
		['gateway.db', 'gateway.search.db'].reduce((sum, name) => sum + measureFileSize(path.join(gateway.data, name)), 0);
	const sizes: { time: number; bytes: number; requests: number }[] = [];
	const sizing = setInterval(() => sizes.push({ time: Date.now(), bytes: measureStoreSize(), requests: samples.length }), 5_000);

	const simulateUser = async (first: number): Promise<void> => {
		const all = Object.entries(actions);
		for (let i = first; Date.now() < end && failures.length < 100; i++) {
			const [name, action] = all[i % all.length] as (typeof all)[number];
			const time = Date.now();
			const from = performance.now();
			try {
				await action(gateway);
			} catch (error) {
				failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
			}
			samples.push({ name, time, ms: performance.now() - from });
			await new Promise(resolve => setTimeout(resolve, pauseMs));
		}
	};
	await Promise.all(Array.from({ length: users }, (_, i) => simulateUser(i * 3)));
	clearInterval(sizing);
	const table = compareTenths(began, durationMs, samples, readMemory(figures, 'gateway'), sizes);
	const code = await gateway.endProcess();
	if (code !== 0) {
		failures.push(`the gateway ended with ${code}`);
	}
	await upstream.close();
	return { what: `gateway: ${samples.length} requests`, table, failures };
}

async function startUpstream(): Promise<RecordingUpstream> {
	const upstream = await new RecordingUpstream().start();
	upstream.answer = ({ body }, response) => {
		upstream.requests.length = 0;
		const { stream } = JSON.parse(body.toString()) as { stream?: boolean };
		response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
		const pieces = Array.from(
			{ length: 50 },
			(_, i) => `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"i":${i}}}\n\n`,
		);
		response.end(stream ? pieces.join('') : '{"type":"message","content":[{"type":"text","text":"soaked"}],"usage":{}}');
	};
	return upstream;
}

function measureFileSize(file: string): number {
	return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
