import type { SampledRun } from '#suites/generation/runSample.ts';
import { RunTrace } from '#suites/running/runTrace.ts';
import type { RunReader } from '../../runs/following/runReader.ts';
import type { PastRun } from '../editing/runCase.ts';

type LocalRuns = Pick<RunReader, 'listFinishedRuns' | 'findPastRun' | 'readEntries'>;

/**
 * Reads the last finished runs of an agent that were started in this editor, newest first. They include runs of drafts, which aren't in the
 * log of the service. Skips runs with secrets.
 */
export async function readLocalRuns(
	reader: LocalRuns,
	{ connectionId, agent, most }: { readonly connectionId: string; readonly agent: string; readonly most: number },
	signal: AbortSignal,
): Promise<readonly SampledRun[]> {
	const runs: SampledRun[] = [];
	for (const record of reader.listFinishedRuns(connectionId, agent).slice(0, most)) {
		signal.throwIfAborted();
		const run = await reader.findPastRun(record);
		if (run && !hasSecretInput(run)) {
			runs.push({ id: record.runId ?? record.key, ...toRunValues(run), path: await readPath(reader, record.key) });
		}
	}
	return runs;
}

/** Returns the values of a run as the log of a service has them: with the message among the inputs. */
export function toRunValues({ inputs, query, status, outputs }: PastRun): Pick<SampledRun, 'status' | 'inputs' | 'outputs'> {
	return { status, outputs, inputs: { ...inputs, ...(query !== undefined && { 'sys.query': query }) } };
}

/** True if an input of a run is a secret, which the run has as a placeholder. */
export function hasSecretInput({ inputs, secretPlaces = new Set() }: PastRun): boolean {
	const text = JSON.stringify(inputs);
	return [...secretPlaces].some(place => text.includes(place));
}

async function readPath(reader: LocalRuns, key: string): Promise<readonly string[]> {
	const trace = new RunTrace();
	for await (const entry of reader.readEntries(key)) {
		if ('event' in entry) {
			trace.add(entry.event);
		}
	}
	return trace.order;
}
