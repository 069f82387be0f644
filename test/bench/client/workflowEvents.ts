import { createParser } from 'eventsource-parser';
import { measureCpuMs, runContest } from '../harness/contest.ts';
import { loadPeer } from '../harness/peers.ts';
import type { Measure } from '../harness/table.ts';
import { Bare, createShippedClient, getBaseUrl } from './subjects.ts';

const nodes = 2_000;
const run = { model: 'translator', inputs: {}, user: 'bench' };

/** Streams 2,000 node events of 4 KB each, with the same floor as the text stream. */
export const workflowEvents: Measure = {
	name: 'workflow-stream',
	measure: `workflow stream, ${nodes} node events of 4 KB: processor time over the bare chain's, and over dify-client's`,
	unit: '×',
	costUnit: 'ms',
	limits: { 'bare chain': { most: 1.1 }, 'dify-client': { most: 1 } },
	async run(inRounds) {
		const base = await getBaseUrl('workflow');
		const client = createShippedClient(base);
		const bare = new Bare();
		const { CompletionClient } = await loadPeer<DifyClient>('dify-client');
		const dify = new CompletionClient('k-agent', `${base}/v1`);
		return inRounds({ warmUp: 3, rounds: 11 }, async () => {
			const costs = await runContest({
				client: () => measureCpuMs(() => expectEventCount(nodes, client.streamWorkflow(run))),
				chain: () => measureCpuMs(() => bare.readEvents(`${base}/v1/agent/workflows/run`, run, () => {})),
				dify: () => measureCpuMs(async () => expectEventCount(nodes, parseDifyEvents((await dify.runWorkflow({}, 'bench', true)).data))),
			});
			return { values: { 'bare chain': costs.client / costs.chain, 'dify-client': costs.client / costs.dify }, costs };
		});
	},
};

/** The used part of dify-client. It returns raw bytes, which the user has to parse. */
interface DifyClient {
	CompletionClient: new (
		key: string,
		baseUrl: string,
	) => { runWorkflow(inputs: object, user: string, stream: true): Promise<{ data: AsyncIterable<Buffer> }> };
}

async function* parseDifyEvents(bytes: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
	const decoder = new TextDecoder();
	const events: unknown[] = [];
	const parser = createParser({ onEvent: event => events.push(JSON.parse(event.data)) });
	for await (const chunk of bytes) {
		parser.feed(decoder.decode(chunk, { stream: true }));
		yield* events.splice(0);
	}
}

async function expectEventCount(least: number, stream: AsyncIterable<unknown>): Promise<void> {
	let count = 0;
	for await (const _event of stream) {
		count++;
	}
	if (count < least) {
		throw new Error(`received ${count} events instead of ${least}`);
	}
}
