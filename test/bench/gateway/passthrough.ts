import { contest, median } from '../harness/contest.ts';
import { leastMargin, type Measure } from '../harness/table.ts';
import { burst, call, plainBody, streamBody } from './caller.ts';
import { type Contestant, contestant } from './contestants.ts';

const inFlight = 64;
const requests = 3_000;
const streamedEvents = 100_000;

/** Small requests, 64 at a time. */
export const throughput: Measure = {
	name: 'throughput',
	measure: `passthrough at ${inFlight} in flight, least of achieved ÷ required: 0.7 × a minimal passthrough, 5 × Portkey`,
	unit: '× of what is required',
	limit: 1,
	async run() {
		const [gateway, minimal, portkey] = await Promise.all([contestant('gateway'), contestant('minimal'), contestant('portkey')]);
		const costs = await contest(
			{
				gateway: () => burst(gateway, requests, inFlight),
				minimal: () => burst(minimal, requests, inFlight),
				portkey: async () => (await burst(portkey, requests / 5, inFlight)) * 5,
			},
			{ warmUp: 3, rounds: 9 },
		);
		const finding = leastMargin({
			'minimal passthrough': { achieved: costs.minimal / costs.gateway, required: 0.7 },
			Portkey: { achieved: costs.portkey / costs.gateway, required: 5 },
		});
		const rate = (ms: number) => `${Math.round((requests / ms) * 1000)}/s`;
		const rates = `gateway ${rate(costs.gateway)}, minimal ${rate(costs.minimal)}, Portkey ${rate(costs.portkey)}`;
		return { ...finding, notes: [...(finding.notes ?? []), rates] };
	},
};

/** One request at a time: what the gateway adds to the upstream's own time. */
export const latency: Measure = {
	name: 'latency',
	measure: 'added latency, one at a time, p50; also at most half of Portkey’s',
	unit: 'ms',
	limit: 0.35,
	async run() {
		const times = await interleaved(['upstream', 'gateway', 'minimal', 'portkey'], async target => (await call(target, plainBody)).totalMs);
		const added = (name: string) => median(times[name] ?? []) - median(times['upstream'] ?? []);
		return {
			value: added('gateway'),
			ok: added('gateway') <= 0.35 && added('gateway') <= added('portkey') / 2,
			notes: [`added: minimal ${added('minimal').toFixed(3)} ms, Portkey ${added('portkey').toFixed(3)} ms`],
		};
	},
};

/** From the request to the first event of a stream, on a warm connection. */
export const firstEvent: Measure = {
	name: 'first-event',
	measure: 'first streamed event over a minimal passthrough, p50',
	unit: '×',
	limit: 1.5,
	async run() {
		const body = streamBody(1);
		const sample = async (target: Contestant) => (await call(target, body)).firstByteMs;
		// Portkey sleeps 25 ms before its first event: in turn with the others it would let their processes go cold
		const times = { ...(await interleaved(['gateway', 'minimal'], sample)), ...(await interleaved(['portkey'], sample, 40)) };
		const p50 = (name: 'gateway' | 'minimal' | 'portkey') => median(times[name] ?? []);
		const value = p50('gateway') / p50('minimal');
		return {
			value,
			ok: value <= 1.5,
			notes: [`gateway ${p50('gateway').toFixed(3)} ms, minimal ${p50('minimal').toFixed(3)} ms, Portkey ${p50('portkey').toFixed(3)} ms`],
		};
	},
};

/** A long stream whose events are written one by one. */
export const events: Measure = {
	name: 'events',
	measure: 'streamed events a second over a minimal passthrough, an event a write',
	unit: '×',
	limit: 0.8,
	async run() {
		const [gateway, minimal, portkey] = await Promise.all([contestant('gateway'), contestant('minimal'), contestant('portkey')]);
		const stream = async (target: Contestant, count: number) => ((await call(target, streamBody(count))).totalMs / count) * streamedEvents;
		const costs = await contest(
			{
				gateway: () => stream(gateway, streamedEvents),
				minimal: () => stream(minimal, streamedEvents),
				portkey: () => stream(portkey, streamedEvents / 10),
			},
			{ warmUp: 2, rounds: 7 },
		);
		const value = costs.minimal / costs.gateway;
		const rate = (ms: number) => `${Math.round((streamedEvents / ms) * 1000)}/s`;
		const notes = [`gateway ${rate(costs.gateway)}, minimal ${rate(costs.minimal)}, Portkey ${rate(costs.portkey)}`];
		return { value, ok: value >= 0.8, notes };
	},
};

/** Takes a sample of each in turn, in another order each time; as many again before them are not counted. */
async function interleaved(
	names: readonly ('upstream' | 'gateway' | 'minimal' | 'portkey')[],
	sample: (target: Contestant) => Promise<number>,
	samples = 400,
): Promise<Record<string, number[]>> {
	const targets = await Promise.all(names.map(contestant));
	const times: Record<string, number[]> = Object.fromEntries(names.map(name => [name, []]));
	for (let round = 0; round < 2 * samples; round++) {
		for (let i = 0; i < names.length; i++) {
			const at = (i + round) % names.length;
			const target = targets[at];
			const name = names[at];
			if (target && name) {
				const ms = await sample(target);
				if (round >= samples) {
					times[name]?.push(ms);
				}
			}
		}
	}
	return times;
}
