import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { resolvedReadFlags } from '#base/files/fileScope.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { OpenedRecording, OpenRecordingRequest, RecordingUse, TakenCalls } from '#contract/recordings/recordings.ts';
import { getPlaceKey, RecordingFormatError } from '#contract/recordings/scanRecording.ts';
import type { RecordingMarks } from '#engine/recordings/recordingMarks.ts';
import type { RecordingSession } from '#engine/recordings/recordingSession.ts';
import type { RecordingLevel, ReplyKeeper, RunRecording } from '#engine/recordings/runRecording.ts';
import { Redactor } from '#network/redaction.ts';
import { KeptReplies } from './keptReplies.ts';

/**
 * Limits of the open recordings together: their number, and the characters that they keep in memory. Beyond them, those that weren't used
 * for the longest time are closed.
 */
const openLimits = { count: 64, characters: 512 * 1024 * 1024 };

interface OpenRecording {
	readonly session: RecordingSession;
	/** By run, because a run continues in its recording after a pause. */
	readonly runs: Map<string, RunRecording>;
	readonly createRun: (use: RecordingUse, keeper?: ReplyKeeper) => RunRecording;
}

/** What a run that starts replays and keeps. */
export interface RunReplies {
	/** The recording that its client opened. */
	readonly use: RecordingUse | undefined;
	/** True if forks of the run can reuse its replies. */
	readonly isKept: boolean;
	/** ID of the run whose replies a fork reuses. */
	readonly parent?: string;
	/** True if the fork makes no calls that can change something. */
	readonly avoidsEffects?: boolean;
}

/** The recordings that clients have opened. They only exist in this process: their files belong to the clients. */
export class OpenRecordings {
	readonly #open = new Map<string, OpenRecording>();
	readonly #kept = new KeptReplies();
	readonly #redactor: Redactor;
	readonly #limits: typeof openLimits;

	/** @param keys keys of the gateway, which never appear in a recording */
	constructor(keys: Iterable<string>, limits = openLimits) {
		this.#redactor = new Redactor(keys);
		this.#limits = limits;
	}

	/** Opens a recording. Throws an error (400) for a text that isn't a recording of a known version. */
	async openRecording({ folder, ...request }: OpenRecordingRequest): Promise<OpenedRecording> {
		const readPart = (name: string) => {
			if (folder === undefined) {
				throw new Error('The recording has no folder.');
			}
			return readRegularFile(path.join(folder, name));
		};
		let opened: Pick<OpenRecording, 'session' | 'createRun'>;
		try {
			opened = await this.#createSession(request, readPart);
		} catch (error) {
			throw error instanceof RecordingFormatError ? new ServiceFault(400, error.message, { params: 'text', cause: error }) : error;
		}
		const id = randomUUID();
		this.#open.set(id, { ...opened, runs: new Map() });
		this.#closeUnused();
		return { id, entries: opened.session.size };
	}

	/** Returns what a run that starts replays and records; undefined if nothing. Throws an error (404) for an unknown recording. */
	async openRun(id: string, { use, isKept, parent, avoidsEffects }: RunReplies): Promise<RecordingLevel | undefined> {
		const keeper = isKept ? this.#kept.addRun(id, use ? getPlaceKey(use) : id, parent, avoidsEffects) : undefined;
		if (use) {
			return { run: this.#getRunRecording(use, id, keeper), path: '' };
		}
		if (!keeper) {
			return undefined;
		}
		const { text, readPart } = this.#kept.readRecording(parent ?? '');
		const { createRun } = await this.#createSession({ mode: 'new', text }, readPart, false);
		const run = createRun({ id }, keeper);
		this.#kept.setRecording(id, run);
		return { run, path: '' };
	}

	/** Drops what only an unfinished run needs. */
	endRun(id: string): void {
		this.#kept.endRun(id);
	}

	/** Returns the number of replies that forks of a run can reuse; undefined if none were kept. */
	countKeptReplies(run: string): number | undefined {
		return this.#kept.countReplies(run);
	}

	/** Returns what happened since the last call. Throws an error (404) for an unknown recording. */
	takeCalls(id: string): TakenCalls {
		return this.#getRecording(id).session.takeCalls();
	}

	closeRecording(id: string): void {
		this.#getRecording(id);
		this.#open.delete(id);
	}

	/** True if runs that use this recording call nothing. Throws an error (404) for an unknown recording. */
	isReplay(use: RecordingUse | undefined): boolean {
		return use !== undefined && this.#getRecording(use.id).session.mode === 'none';
	}

	/** Returns the recording as a run uses it, also after a pause. Throws an error (404) for an unknown recording. */
	getRunRecording(use: RecordingUse, run: string): RunRecording {
		return this.#getRunRecording(use, run);
	}

	/** Returns the recording of a run that continues after a pause; undefined if it uses none. Throws like {@link getRunRecording}. */
	getLevel(use: RecordingUse | undefined, id: string): RecordingLevel | undefined {
		const run = use ? this.getRunRecording(use, id) : this.#kept.getRecording(id);
		return run && { run, path: '' };
	}

	/** Returns the placeholders of a text generation request: secrets of its suite, and of the agents whose outputs a judge gets. */
	async createTextMarks(use: RecordingUse): Promise<RecordingMarks> {
		const { RecordingMarks } = await import('#engine/recordings/recordingMarks.ts');
		const secrets = { ...this.#getRecording(use.id).session.getAgentSecrets(use), ...use.secrets };
		return new RecordingMarks({ secretNames: [], environment: {} }, {}, secrets);
	}

	#getRunRecording(use: RecordingUse, run: string, keeper?: ReplyKeeper): RunRecording {
		const { runs, createRun } = this.#getRecording(use.id);
		this.#closeUnused();
		const recording = runs.get(run) ?? createRun(use, keeper);
		runs.set(run, recording);
		return recording;
	}

	async #createSession(
		request: OpenRecordingRequest,
		readPart: (name: string) => string,
		isTaken = true,
	): Promise<Pick<OpenRecording, 'session' | 'createRun'>> {
		// loaded with the first recording, like the rest of the engine with the first agent
		const [{ RecordingSession }, { RunRecording }] = await Promise.all([
			import('#engine/recordings/recordingSession.ts'),
			import('#engine/recordings/runRecording.ts'),
		]);
		const session = new RecordingSession(request, { readPart, redactText: text => this.#redactor.redactText(text), isTaken });
		return { session, createRun: (use, keeper) => new RunRecording(session, use, keeper) };
	}

	#getRecording(id: string): OpenRecording {
		const found = this.#open.get(id);
		if (!found) {
			throw new ServiceFault(404, localizable`The recording isn't open. Open it again.`, { params: 'recording' });
		}
		// the order is that of use
		this.#open.delete(id);
		this.#open.set(id, found);
		return found;
	}

	/** Closes recordings until the others are within the limits, with the longest unused first. The last used one stays open. */
	#closeUnused(): void {
		let weight = [...this.#open.values()].reduce((sum, { session }) => sum + session.weight, 0);
		for (const [id, { session }] of this.#open) {
			const isWithin = this.#open.size <= this.#limits.count && weight <= this.#limits.characters;
			if (isWithin || this.#open.size === 1) {
				return;
			}
			this.#open.delete(id);
			weight -= session.weight;
		}
	}
}

/** Maximum bytes of a file with a large value. */
const mostBytes = 256 * 1024 * 1024;

/** Reads a text file. Refuses files that are too large, links, pipes and devices, which a workspace may contain and which may never end. */
function readRegularFile(file: string): string {
	const handle = openSync(file, resolvedReadFlags);
	try {
		const found = fstatSync(handle);
		if (!found.isFile() || found.size > mostBytes) {
			throw new Error('not a regular file, or too large');
		}
		return readFileSync(handle, 'utf8');
	} finally {
		closeSync(handle);
	}
}
