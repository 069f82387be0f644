import type { Measure } from '../harness/table.ts';
import { measureInWindow } from './inWindow.ts';

/** From the write to the socket to the append to the output channel, in a real extension host. */
export const nodeEvents: Measure = {
	name: 'node-events',
	measure: 'node event from socket to output channel at 1,000 events a second, p95, none lost, at most',
	unit: 'ms',
	limit: 20,
	async run() {
		const { eventMs, sent, shown } = await measureInWindow('events');
		const sorted = eventMs.toSorted((a, b) => a - b);
		const value = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
		const p50 = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
		return { value, ok: value <= 20 && shown === sent, notes: [`${shown} of ${sent} events shown, p50 ${p50.toFixed(1)} ms`] };
	},
};
