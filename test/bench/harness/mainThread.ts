import type { Browser, Frame } from 'playwright-core';

interface TraceEvent {
	readonly name: string;
	readonly ph: string;
	readonly pid: number;
	readonly tid: number;
	/** Microseconds. */
	readonly ts: number;
	readonly dur?: number;
	/** Microseconds of processor time. */
	readonly tdur?: number;
	readonly args?: { readonly data?: { readonly message?: string } };
}

/**
 * A task of the main thread. `at` is in milliseconds since the start of the recording. `ms` is processor time, which excludes other work on
 * the machine.
 */
export interface Task {
	readonly at: number;
	readonly ms: number;
}

/** Activity of the main thread of a frame's process during a step. */
export interface Recording<T> {
	readonly result: T;
	/** Tasks, oldest first. They include the workbench's if the browser runs both in one process. */
	readonly tasks: readonly Task[];
	/** Start of each frame, in milliseconds since the start of the recording. */
	readonly frames: readonly number[];
	/** Times of the page's `console.timeStamp` calls by their text, in milliseconds since the start of the recording. */
	readonly marks: ReadonlyMap<string, number>;
}

/** Records the main thread of a frame during a step. */
export async function recordMainThread<T>(browser: Browser, frame: Frame, step: () => Promise<T>): Promise<Recording<T>> {
	const session = await browser.newBrowserCDPSession();
	const events: TraceEvent[] = [];
	session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
	const complete = new Promise<void>(resolve => session.once('Tracing.tracingComplete', () => resolve()));
	await session.send('Tracing.start', {
		traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.console', 'toplevel'] },
		transferMode: 'ReportEvents',
	});
	await frame.evaluate(() => console.timeStamp('bench-start'));
	const result = await step();
	await frame.evaluate(() => console.timeStamp('bench-end'));
	await session.send('Tracing.end');
	await complete;
	await session.detach();
	const findMarkTime = (name: string) => events.find(event => event.name === 'TimeStamp' && event.args?.data?.message === name);
	const start = findMarkTime('bench-start');
	const end = findMarkTime('bench-end');
	if (!start || !end) {
		throw new Error('the recording has no marks');
	}
	const own = events.filter(({ pid, tid, ts }) => pid === start.pid && tid === start.tid && ts >= start.ts && ts <= end.ts);
	const tasks = own
		.filter(({ name, ph }) => name === 'RunTask' && ph === 'X')
		.map(({ ts, dur, tdur }) => ({ at: (ts - start.ts) / 1000, ms: (tdur ?? dur ?? 0) / 1000 }))
		.sort((a, b) => a.at - b.at);
	const frames = own
		.filter(({ name }) => name === 'FireAnimationFrame')
		.map(({ ts }) => (ts - start.ts) / 1000)
		.sort((a, b) => a - b);
	const marks = new Map(
		own.filter(({ name }) => name === 'TimeStamp').map(({ ts, args }) => [args?.data?.message ?? '', (ts - start.ts) / 1000]),
	);
	return { result, tasks, frames, marks };
}

/** Returns the milliseconds of the longest task. */
export function findLongestTask(tasks: readonly Task[]): number {
	return Math.max(0, ...tasks.map(({ ms }) => ms));
}

/** Returns the milliseconds of tasks that started in an interval. */
export function sumBusyMs(tasks: readonly Task[], from = 0, to = Number.POSITIVE_INFINITY): number {
	return tasks.reduce((sum, { at, ms }) => (at >= from && at < to ? sum + ms : sum), 0);
}
