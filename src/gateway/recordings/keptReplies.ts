import type { RecordedCall } from '#contract/recordings/recordings.ts';
import { recordingVersion } from '#contract/recordings/scanRecording.ts';
import type { ReplyKeeper, RunRecording } from '#engine/recordings/runRecording.ts';

/** Maximum number of runs whose replies are kept, and of characters of all of them. The oldest runs are dropped first. */
const limits = { runs: 50, characters: 64 * 1024 * 1024 };

type KeptCall = Pick<RecordedCall, 'text' | 'parts'>;

interface KeptRun {
	readonly seed: string;
	/** By request and node. */
	readonly calls: Map<string, KeptCall[]>;
	/** The recording that the run continues in after a pause. */
	recording?: RunRecording;
}

/** A recording to replay. */
interface KeptRecording {
	readonly text: string;
	/** Returns a large value. Throws if it doesn't exist. */
	readonly readPart: (name: string) => string;
}

/** The replies that runs got from models, tools and other services. They are kept in memory, so that forks of the runs can reuse them. */
export class KeptReplies {
	/** By ID, the least recently used first. */
	readonly #runs = new Map<string, KeptRun>();
	/** Number of runs that keep each call. Forks share the calls of their parents. */
	readonly #holders = new Map<KeptCall, number>();
	#size = 0;

	/**
	 * Returns the keeper for a run that starts.
	 * @param seed text that the run's random numbers depend on @param parent run whose replies and seed a fork inherits
	 * @param avoidsEffects see {@link ReplyKeeper}
	 */
	addRun(id: string, seed: string, parent?: string, avoidsEffects = false): ReplyKeeper {
		const inherited = this.#runs.get(parent ?? '');
		const calls = new Map([...(inherited?.calls ?? [])].map(([slot, kept]) => [slot, [...kept]]));
		const run: KeptRun = { seed: inherited?.seed ?? seed, calls };
		if (parent !== undefined && inherited) {
			this.#runs.delete(parent);
			this.#runs.set(parent, inherited);
		}
		this.#runs.set(id, run);
		this.#holdCalls([...calls.values()].flat());
		this.#dropOldestRuns();
		const own = new Set<string>();
		return {
			seed: run.seed,
			avoidsEffects,
			keep: (key, node, call) => {
				if (this.#runs.get(id) !== run) {
					return;
				}
				const slot = `${key}\n${node}`;
				this.#holdCalls([call]);
				if (own.has(slot)) {
					run.calls.get(slot)?.push(call);
				} else {
					// what the run got itself replaces what its parent got
					this.#releaseCalls(run.calls.get(slot) ?? []);
					run.calls.set(slot, [call]);
					own.add(slot);
				}
				this.#dropOldestRuns();
			},
		};
	}

	/** Returns the number of replies of a run that are kept; undefined if there are none. */
	countReplies(id: string): number | undefined {
		const run = this.#runs.get(id);
		return run && [...run.calls.values()].reduce((sum, { length }) => sum + length, 0);
	}

	/** Returns the replies of a run as a recording; an empty one if none are kept. */
	readRecording(id: string): KeptRecording {
		const calls = [...(this.#runs.get(id)?.calls.values() ?? [])].flat();
		const parts = new Map(calls.flatMap(call => call.parts.map(({ name, content }) => [name, content])));
		return {
			text: [`recording: ${recordingVersion}\n`, ...calls.map(({ text }) => (text.endsWith('\n') ? text : `${text}\n`))].join('---\n'),
			readPart: name => {
				const content = parts.get(name);
				if (content === undefined) {
					throw new Error('This large value is not kept.');
				}
				return content;
			},
		};
	}

	/** Remembers the recording of a run until it ends. */
	setRecording(id: string, recording: RunRecording): void {
		const run = this.#runs.get(id);
		if (run) {
			run.recording = recording;
		}
	}

	getRecording(id: string): RunRecording | undefined {
		return this.#runs.get(id)?.recording;
	}

	/** Drops what only an unfinished run needs. */
	endRun(id: string): void {
		delete this.#runs.get(id)?.recording;
	}

	#dropOldestRuns(): void {
		for (const [id, { calls }] of this.#runs) {
			if (this.#runs.size <= limits.runs && this.#size <= limits.characters) {
				return;
			}
			this.#runs.delete(id);
			this.#releaseCalls([...calls.values()].flat());
		}
	}

	#holdCalls(calls: readonly KeptCall[]): void {
		for (const call of calls) {
			const holders = this.#holders.get(call) ?? 0;
			this.#holders.set(call, holders + 1);
			this.#size += holders === 0 ? getSize(call) : 0;
		}
	}

	#releaseCalls(calls: readonly KeptCall[]): void {
		for (const call of calls) {
			const holders = this.#holders.get(call) ?? 0;
			if (holders > 1) {
				this.#holders.set(call, holders - 1);
			} else {
				this.#holders.delete(call);
				this.#size -= getSize(call);
			}
		}
	}
}

function getSize({ text, parts }: KeptCall): number {
	return text.length + parts.reduce((length, { content }) => length + content.length, 0);
}
