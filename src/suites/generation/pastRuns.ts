import type { ServiceClient } from '#client/client.ts';
import { isServiceError } from '../running/pacedCall.ts';
import { RunTrace } from '../running/runTrace.ts';
import type { SampledRun } from './runSample.ts';

type RunsClient = Pick<ServiceClient, 'iterateLogs' | 'getRun' | 'followRun'>;

/** Number of past runs that are read by default. */
export const mostPastRuns = 500;

/** Number of runs that are read at once. */
const concurrency = 8;

/** How past runs are read. */
interface ReadOptions {
	readonly signal: AbortSignal;
	/** IDs of runs to skip. */
	readonly known?: ReadonlySet<string>;
	readonly onRead?: (done: number, total: number) => void;
}

/** Reads the last finished runs of an agent with their paths, newest first. Rejects with the client's error. */
export async function readPastRuns(
	client: RunsClient,
	model: string,
	most: number,
	{ signal, known, onRead }: ReadOptions,
): Promise<readonly SampledRun[]> {
	const ids: string[] = [];
	for await (const { workflow_run: run } of client.iterateLogs({ model, limit: 100 }, { signal })) {
		if (run.status !== 'running' && run.status !== 'paused' && !known?.has(run.id)) {
			ids.push(run.id);
		}
		if (ids.length === most) {
			break;
		}
	}
	const runs: SampledRun[] = [];
	for (let at = 0; at < ids.length; at += concurrency) {
		const read = ids.slice(at, at + concurrency).map(async id => {
			const { status, inputs, outputs } = await client.getRun(id, { model }, { signal });
			return { id, status, inputs, outputs: outputs ?? {}, path: await readPath(client, model, id, signal) };
		});
		runs.push(...(await Promise.all(read)));
		onRead?.(runs.length, ids.length);
	}
	return runs;
}

/** Reads the nodes that a run passed; `undefined` if the service doesn't send events of past runs. */
async function readPath(client: RunsClient, model: string, id: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
	const trace = new RunTrace();
	try {
		for await (const event of client.followRun(id, { model, include_state_snapshot: true }, { signal })) {
			trace.add(event);
		}
		return trace.order;
	} catch (error) {
		if (signal.aborted || !isServiceError(error)) {
			throw error;
		}
		return undefined;
	}
}
