import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';
import { messageOf } from '../common/problems.ts';
import type { Connection, Connections } from '../connections/connectionTypes.ts';
import type { WorkflowRunRequest } from '../protocol/workflows.ts';
import { LiveRun } from './liveRun.ts';
import type { LiveRunParts, RunObserver } from './liveRunParts.ts';
import type { RunJournal } from './runJournal.ts';
import { RunLines } from './runLines.ts';
import type { RunStore } from './runStore.ts';
import { isLive } from './runStore.ts';
import type { RunsChannel } from './runsChannel.ts';
import type { JournalEntry, RunRecord } from './runTypes.ts';

export interface RunnerParts {
	readonly connections: Connections;
	readonly store: RunStore;
	readonly journal: RunJournal;
	readonly channel: RunsChannel;
	readonly log: vscode.LogOutputChannel;
}

/** Where a run comes from. */
export interface RunOrigin {
	/** URI of the run file. */
	readonly file?: string;
	/** Starts the run of an agent file as it stands in the editor, not of what is published. */
	readonly draft?: { readonly agentFile: string; readonly stream: NonNullable<LiveRunParts['stream']> };
}

/** A run that was started: its key, and when it has ended. */
export interface StartedRun {
	readonly key: string;
	/** Resolves with the last state of the run; never rejects. */
	readonly ended: Promise<RunRecord>;
	/** The error for which the run did not come about, where it is that. */
	readonly failure: () => unknown;
}

/** Starts runs, stops them, finds those again that the last window left; what comes of them goes to the store, the journal and the channel. */
export class Runner extends DisposableBase {
	readonly #parts: RunnerParts;
	readonly #live = new Map<string, LiveRun>();
	readonly #entered = this.own(new vscode.EventEmitter<{ key: string; entry: JournalEntry }>());
	/** Something came of a run; for views that follow it live. */
	readonly onEntry = this.#entered.event;

	constructor(parts: RunnerParts) {
		super();
		this.#parts = parts;
		this.own({ dispose: () => this.#leaveAll() });
	}

	/** Sends a request and follows it to its end. */
	start(connection: Connection, request: WorkflowRunRequest, origin: RunOrigin = {}): StartedRun {
		const record: RunRecord = {
			key: randomUUID(),
			connectionId: connection.id,
			agent: request.model,
			user: request.user,
			mode: request.response_mode,
			...(origin.file ? { file: origin.file } : {}),
			...(origin.draft ? { draft: true, agentFile: origin.draft.agentFile } : {}),
			inputsHash: createHash('sha256').update(JSON.stringify(request.inputs)).digest('hex').slice(0, 16),
			startedAt: Date.now(),
			status: 'starting',
		};
		void this.#parts.journal.trim().catch(error => this.#parts.log.warn(`Journals of runs: ${messageOf(error)}`));
		this.#parts.store.add(record);
		const run = this.#follow(record, origin.draft?.stream);
		run.observer.entry({ at: record.startedAt, request });
		return { key: record.key, ended: run.live.start(request).then(() => run.end()), failure: run.failure };
	}

	/** Asks for a run to be stopped; without effect on one that has ended. */
	stop(key: string): void {
		this.#live.get(key)?.stop();
	}

	/** Follows the runs again that were going on, or lost, when the window closed. Runs whose ID never came are said to be lost. */
	resume(): Promise<RunRecord>[] {
		return this.#parts.store
			.list()
			.filter(({ key, status }) => (isLive(status) || status === 'lost') && !this.#live.has(key))
			.flatMap(record => {
				if (record.runId === undefined || !this.#parts.connections.get(record.connectionId)) {
					if (isLive(record.status)) {
						this.#parts.store.update(record.key, {
							status: 'lost',
							error: vscode.l10n.t('The editor closed before the service had named the run.'),
						});
					}
					return [];
				}
				const run = this.#follow(record, undefined);
				return [
					this.#received(record.key)
						.then(received => run.live.resume(record, received))
						.then(() => run.end()),
				];
			});
	}

	/** How many events of a run its journal has, as a service that replays the run counts them. */
	async #received(key: string): Promise<number> {
		let received = 0;
		for await (const entry of this.#parts.journal.read(key)) {
			received += 'event' in entry && entry.event.event !== 'text_chunk' ? 1 : 0;
		}
		return received;
	}

	#follow(record: RunRecord, draft: LiveRunParts['stream'] | undefined) {
		const { connections, store, journal, channel, log } = this.#parts;
		const { key, connectionId, file } = record;
		const names = {
			connection: connections.get(connectionId)?.name ?? connectionId,
			file: file && path.posix.basename(vscode.Uri.parse(file).path),
		};
		// outputs of any size are shown, but only small ones stay in the store
		let outputs = record.outputs;
		let failure: unknown;
		const lines = new RunLines(() => ({ ...(store.get(key) ?? record), ...(outputs === undefined ? {} : { outputs }) }), names);
		const observer: RunObserver = {
			entry: entry => {
				if (this.disposed) {
					return;
				}
				if ('event' in entry && entry.event.event === 'ping') {
					log.trace(`Run ${store.get(key)?.runId ?? key}: ping`);
					return;
				}
				journal.write(key, entry);
				channel.write(key, lines.write(entry));
				this.#entered.fire({ key, entry });
			},
			change: patch => {
				if (this.disposed) {
					return;
				}
				outputs = 'outputs' in patch ? patch.outputs : outputs;
				store.update(key, patch);
			},
			failed: error => {
				failure = error;
			},
		};
		const live = new LiveRun({ connect: () => connections.client(connectionId), observer, ...(draft ? { stream: draft } : {}) });
		this.#live.set(key, live);
		const end = async (): Promise<RunRecord> => {
			if (this.disposed) {
				return store.get(key) ?? record;
			}
			channel.write(key, lines.end(Date.now()));
			channel.flush();
			this.#live.delete(key);
			await journal.flush();
			return store.get(key) ?? record;
		};
		return { live, observer, end, failure: () => failure };
	}

	/** A run goes on when its window closes, and is looked up by its ID when it opens again (DESIGN decision 4). */
	#leaveAll(): void {
		for (const live of this.#live.values()) {
			live.leave();
		}
	}
}
