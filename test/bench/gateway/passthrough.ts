import { computeMedian, runContest, sampleCosts } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { createStreamBody, plainBody, sendRequest, sendRequestBurst } from './caller.ts';
import { type Contestant, getContestant, getOpenAiGateway } from './contestants.ts';

const inFlight = 64;
const requests = 3_000;
const streamedEvents = 100_000;
/** Number of single requests per contestant and round. */
const samples = 150;

// The floor of all measures in this file is a minimal passthrough with undici's `dispatch` straight to the response (minimal.ts).

/** Sends small requests, 64 concurrently. */
export const throughput: Measure = {
	name: 'throughput',
	measure: `passthrough with ${inFlight} in flight: requests per second over a minimal passthrough and over Portkey`,
	unit: '×',
	costUnit: 'requests/s',
	limits: { 'minimal passthrough': { least: 0.9 }, Portkey: { least: 5 } },
	async run(inRounds) {
		const [gateway, minimal, portkey] = await Promise.all([getContestant('gateway'), getContestant('minimal'), getContestant('portkey')]);
		const measureRequestRate = (target: Contestant, count: number) => async () =>
			(count / (await sendRequestBurst(target, count, inFlight))) * 1000;
		return inRounds({ warmUp: 3, rounds: 9 }, async () => {
			const costs = await runContest({
				gateway: measureRequestRate(gateway, requests),
				minimal: measureRequestRate(minimal, requests),
				portkey: measureRequestRate(portkey, requests / 5),
			});
			return { values: { 'minimal passthrough': costs.gateway / costs.minimal, Portkey: costs.gateway / costs.portkey }, costs };
		});
	},
};

/** Calls OpenAI's endpoints, which are passed through to a service with the same protocol. */
export const openAi: Measure = {
	name: 'openai',
	measure: `OpenAI's endpoints passed through with ${inFlight} in flight: requests per second over those of messages`,
	unit: '×',
	costUnit: 'requests/s',
	limits: { 'chat completions': { least: 0.9 }, embeddings: { least: 0.9 } },
	async run(inRounds) {
		const [messages, chat, embeddings] = await Promise.all([
			getContestant('gateway'),
			getOpenAiGateway('chat/completions'),
			getOpenAiGateway('embeddings'),
		]);
		const measureRequestRate = (target: Contestant, body: string) => async () =>
			(requests / (await sendRequestBurst(target, requests, inFlight, body))) * 1000;
		const body = plainBody.replace('"bench"', '"gpt-bench"');
		return inRounds({ warmUp: 3, rounds: 9 }, async () => {
			const costs = await runContest({
				messages: measureRequestRate(messages, plainBody),
				chat: measureRequestRate(chat, body),
				embeddings: measureRequestRate(embeddings, body),
			});
			return { values: { 'chat completions': costs.chat / costs.messages, embeddings: costs.embeddings / costs.messages }, costs };
		});
	},
};

/** Sends one request after another, and compares the time that each contestant adds to the upstream's time. */
export const latency: Measure = {
	name: 'latency',
	measure: 'added latency of sequential requests, p50, over that of a minimal passthrough and of Portkey',
	unit: '×',
	costUnit: 'ms',
	limits: { 'minimal passthrough': { most: 1.25 }, Portkey: { most: 0.4 } },
	async run(inRounds) {
		const [upstream, ...targets] = await Promise.all([
			getContestant('upstream'),
			getContestant('gateway'),
			getContestant('minimal'),
			getContestant('portkey'),
		]);
		const measureRequest = (target: Contestant) => async () => (await sendRequest(target, plainBody)).totalMs;
		const [gateway, minimal, portkey] = targets.map(measureRequest) as [
			ReturnType<typeof measureRequest>,
			ReturnType<typeof measureRequest>,
			ReturnType<typeof measureRequest>,
		];
		return inRounds({ warmUp: 3, rounds: 9 }, async () => {
			const times = await sampleCosts({ upstream: measureRequest(upstream), gateway, minimal, portkey }, samples);
			const getAddedLatency = (name: 'gateway' | 'minimal' | 'portkey') => computeMedian(times[name]) - computeMedian(times.upstream);
			const costs = { gateway: getAddedLatency('gateway'), minimal: getAddedLatency('minimal'), portkey: getAddedLatency('portkey') };
			return { values: { 'minimal passthrough': costs.gateway / costs.minimal, Portkey: costs.gateway / costs.portkey }, costs };
		});
	},
};

/** Measures the time from the request to the first event of a stream, on a warm connection. */
export const firstEvent: Measure = {
	name: 'first-event',
	measure: 'first streamed event over a minimal passthrough, p50',
	unit: '×',
	costUnit: 'ms',
	limits: { 'minimal passthrough': { most: 1.1 } },
	async run(inRounds) {
		const body = createStreamBody(1);
		const [gateway, minimal] = await Promise.all([getContestant('gateway'), getContestant('minimal')]);
		const measureFirstByte = (target: Contestant) => async () => (await sendRequest(target, body)).firstByteMs;
		return inRounds({ warmUp: 3, rounds: 11 }, async () => {
			const times = await sampleCosts({ gateway: measureFirstByte(gateway), minimal: measureFirstByte(minimal) }, samples);
			const costs = { gateway: computeMedian(times.gateway), minimal: computeMedian(times.minimal) };
			return { values: { 'minimal passthrough': costs.gateway / costs.minimal }, costs };
		});
	},
};

/** Reads a long stream whose events are written one by one. */
export const events: Measure = {
	name: 'events',
	measure: 'streamed events per second over a minimal passthrough, one event per write',
	unit: '×',
	costUnit: 'events/s',
	limits: { 'minimal passthrough': { least: 1 } },
	async run(inRounds) {
		const [gateway, minimal] = await Promise.all([getContestant('gateway'), getContestant('minimal')]);
		const measureRequestRate = (target: Contestant) => async () =>
			(streamedEvents / (await sendRequest(target, createStreamBody(streamedEvents))).totalMs) * 1000;
		return inRounds({ warmUp: 2, rounds: 7 }, async () => {
			const costs = await runContest({ gateway: measureRequestRate(gateway), minimal: measureRequestRate(minimal) });
			return { values: { 'minimal passthrough': costs.gateway / costs.minimal }, costs };
		});
	},
};
