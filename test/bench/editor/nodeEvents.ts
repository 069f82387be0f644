import { computeQuantile } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { measureInWindow } from './inWindow.ts';

/** Measures the time from the write to the socket to the append to the output channel, in a real extension host. */
export const nodeEvents: Measure = {
	name: 'node-events',
	measure: 'node event from socket to output channel at 1,000 events a second, p95; events lost',
	unit: 'ms',
	limits: { p95: { most: 20 }, lost: { most: 0, unit: 'events' } },
	run: inRounds =>
		inRounds({ warmUp: 0, rounds: 3 }, async () => {
			const { eventMs, sent, shown } = await measureInWindow('events');
			return { values: { p95: computeQuantile(eventMs, 0.95), lost: sent - shown }, costs: { p50: computeQuantile(eventMs, 0.5) } };
		}),
};
