import { isCancellation } from '#base/problems.ts';
import { runConcurrently } from '#base/timing/runConcurrently.ts';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import type { RunPreview } from '#pages/logs/logsMessages.ts';
import { parseOutputs } from '#runs/following/detailPoll.ts';
import { formatValuesOnOneLine } from '#runs/following/readableValue.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { isRunOver } from '#runs/runStatus.ts';

/** Maximum number of concurrent requests. */
const atOnce = 4;
/** Maximum number of previews in memory. */
const mostKept = 5000;

/** Creates previews of the visible runs from their details, because the log has no inputs and outputs. Fetches the details once. */
export class RunPreviews {
	readonly #read: (entry: LogEntry, signal: AbortSignal) => Promise<WorkflowRunDetail>;
	readonly #onPreviews: (previews: Readonly<Record<string, RunPreview>>) => void;
	readonly #kept = new Map<string, RunPreview>();
	#asking = new AbortController();

	/** `onPreviews` gets the previews by the ID of their entry. Previews of active runs are created again each time. */
	constructor(
		read: (entry: LogEntry, signal: AbortSignal) => Promise<WorkflowRunDetail>,
		onPreviews: (previews: Readonly<Record<string, RunPreview>>) => void,
	) {
		this.#read = read;
		this.#onPreviews = onPreviews;
	}

	/**
	 * Creates previews of the currently visible entries, and cancels requests for others. An entry that can't be read gets an empty preview.
	 */
	async showPreviews(entries: readonly LogEntry[]): Promise<void> {
		this.cancelRequests();
		const { signal } = this.#asking;
		const known = entries.flatMap(({ id }) => {
			const preview = this.#kept.get(id);
			return preview ? [[id, preview] as const] : [];
		});
		if (known.length > 0) {
			this.#onPreviews(Object.fromEntries(known));
		}
		await runConcurrently(
			entries.filter(({ id }) => !this.#kept.has(id)),
			atOnce,
			signal,
			async entry => {
				const preview = await this.#createPreview(entry, signal);
				if (preview && !signal.aborted) {
					this.#onPreviews({ [entry.id]: preview });
				}
			},
		);
	}

	/** Cancels all requests. */
	cancelRequests(): void {
		this.#asking.abort();
		this.#asking = new AbortController();
	}

	async #createPreview(entry: LogEntry, signal: AbortSignal): Promise<RunPreview | undefined> {
		try {
			const detail = await this.#read(entry, signal);
			const preview = {
				inputs: formatValuesOnOneLine(getGivenInputs(detail)),
				outputs: formatValuesOnOneLine(parseOutputs(detail)),
				final: isRunOver(detail),
			};
			if (preview.final) {
				this.#cachePreview(entry.id, preview);
			}
			return preview;
		} catch (error) {
			return isCancellation(error) ? undefined : { inputs: '', outputs: '', final: true };
		}
	}

	#cachePreview(id: string, preview: RunPreview): void {
		this.#kept.set(id, preview);
		const [oldest] = this.#kept.size > mostKept ? this.#kept.keys() : [];
		if (oldest !== undefined) {
			this.#kept.delete(oldest);
		}
	}
}

/** Returns the inputs of a run without the system variables that services add (`sys.…`, wire facts 1.0). */
export function getGivenInputs({ inputs }: Pick<WorkflowRunDetail, 'inputs'>): Readonly<Record<string, unknown>> | null {
	const all = parseOutputs({ outputs: inputs });
	return all && Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('sys.')));
}
