import { isCancellation } from '#base/problems.ts';
import { beginningOf } from '#base/text/cutText.ts';
import { inTurns } from '#base/timing/inTurns.ts';
import type { WorkflowRunDetail } from '#contract/workflows.ts';
import type { RunPreview } from '#pages/logs/logsMessages.ts';
import { outputsOf } from '#runs/following/detailPoll.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { isOver } from '#runs/runStatus.ts';

/** Characters of a preview. */
const longest = 200;
/** Runs asked for at a time, and previews kept. */
const atOnce = 4;
const mostKept = 5000;

/** Previews of the runs that are in sight: a log has none, so that each is made of its run's detail, which is asked for once. */
export class RunPreviews {
	readonly #read: (entry: LogEntry, signal: AbortSignal) => Promise<WorkflowRunDetail>;
	readonly #told: (previews: Readonly<Record<string, RunPreview>>) => void;
	readonly #kept = new Map<string, RunPreview>();
	#asking = new AbortController();

	/** `told` gets each preview, by the ID of its entry, once it is there; that of a run that goes on is made anew each time. */
	constructor(
		read: (entry: LogEntry, signal: AbortSignal) => Promise<WorkflowRunDetail>,
		told: (previews: Readonly<Record<string, RunPreview>>) => void,
	) {
		this.#read = read;
		this.#told = told;
	}

	/** These are in sight now: what was asked for others is no longer waited for. What cannot be read has no preview. */
	async want(entries: readonly LogEntry[]): Promise<void> {
		this.cancel();
		const { signal } = this.#asking;
		const known = entries.flatMap(({ id }) => {
			const preview = this.#kept.get(id);
			return preview ? [[id, preview] as const] : [];
		});
		if (known.length > 0) {
			this.#told(Object.fromEntries(known));
		}
		await inTurns(
			entries.filter(({ id }) => !this.#kept.has(id)),
			atOnce,
			signal,
			async entry => {
				const preview = await this.#make(entry, signal);
				if (preview && !signal.aborted) {
					this.#told({ [entry.id]: preview });
				}
			},
		);
	}

	/** Nothing is in sight any more. */
	cancel(): void {
		this.#asking.abort();
		this.#asking = new AbortController();
	}

	async #make(entry: LogEntry, signal: AbortSignal): Promise<RunPreview | undefined> {
		try {
			const detail = await this.#read(entry, signal);
			const preview = { inputs: lineOf(givenOf(detail)), outputs: lineOf(outputsOf(detail)), final: isOver(detail) };
			if (preview.final) {
				this.#keep(entry.id, preview);
			}
			return preview;
		} catch (error) {
			return isCancellation(error) ? undefined : { inputs: '', outputs: '', final: true };
		}
	}

	#keep(id: string, preview: RunPreview): void {
		this.#kept.set(id, preview);
		const [oldest] = this.#kept.size > mostKept ? this.#kept.keys() : [];
		if (oldest !== undefined) {
			this.#kept.delete(oldest);
		}
	}
}

/** What a run was given, without what services add to it (`sys.…`; wire facts 1.0). */
export function givenOf({ inputs }: Pick<WorkflowRunDetail, 'inputs'>): Readonly<Record<string, unknown>> | null {
	const all = outputsOf({ outputs: inputs });
	return all && Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('sys.')));
}

/** Values in one line: a single one without its name. */
export function lineOf(values: Readonly<Record<string, unknown>> | null): string {
	const entries = Object.entries(values ?? {});
	const texts = entries.map(([name, value]) => {
		const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
		const line = beginningOf(text, longest).replaceAll(/\s+/g, ' ').trim();
		return entries.length === 1 ? line : `${name}: ${line}`;
	});
	return beginningOf(texts.join(' · '), longest);
}
