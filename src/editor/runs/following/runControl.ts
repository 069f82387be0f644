import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { Problem } from '#base/problems.ts';
import { formatMessage, localizable } from '#base/text/localizableMessage.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { RecordingPlace } from '#contract/recordings/recordings.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { addEntryCosts, type RunCosts } from '#runs/events/runCosts.ts';
import { isReplayedEvent } from '#runs/following/replayedEvents.ts';
import { RunFollower } from '#runs/following/runFollower.ts';
import type { KeptOfRun, RunClient, RunFollowerParts, RunObserver } from '#runs/following/runFollowerParts.ts';
import type { FormSummary } from '#runs/forms/runForm.ts';
import { RunForms } from '#runs/forms/runForms.ts';
import type { EventJournals } from '#runs/history/eventJournals.ts';
import type { FileRecording } from '#runs/recordings/fileRecording.ts';
import { EntryMasker } from '#runs/request/entryMasker.ts';
import { maskEntry, type Secrets } from '#runs/request/secrets.ts';
import { isRunActive, isRunFinished, isRunOver, isRunPaused } from '#runs/runStatus.ts';
import type { DeploymentDraft, RunRecord } from '#runs/runTypes.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { runInBackground } from '../../platform/background.ts';
import type { RunRecords } from '../history/runRecords.ts';
import type { RunsChannel } from '../output/runsChannel.ts';
import type { FileRecordings } from '../recordings/fileRecordings.ts';
import { createRunRecord } from './runRecord.ts';
import { getExecutionName, type RunServices } from './runServices.ts';

interface RunControlParts {
	readonly connections: Connections;
	readonly services: RunServices;
	readonly records: RunRecords;
	readonly journals: EventJournals;
	readonly channel: RunsChannel;
	readonly recordings: Pick<FileRecordings, 'finishRecording'>;
	readonly log: vscode.LogOutputChannel;
}

/** Sends a request to a gateway and yields its events. Used to run a draft instead of the published agent. */
type StreamDraft = (service: RunClient, request: WorkflowRunRequest, options: { signal: AbortSignal }) => AsyncIterable<WorkflowEvent>;

/** How a run was started. */
export interface RunOrigin {
	/** URI of the run file. */
	readonly file?: string;
	/** Key of the run that this run repeats. */
	readonly repeats?: string;
	/** Title of the node from which everything runs again, if the run is a fork of {@link repeats}. */
	readonly forkedAt?: string;
	/** Secrets in the request. They are never stored or shown, but replaced with their placeholders. */
	readonly secrets?: Secrets;
	/** Set to run the current content of an agent file in the editor, instead of the published agent. */
	readonly draft?: { readonly agentFile: string; readonly stream: StreamDraft };
	/** Set to run a draft on its Dify deployment. `agentFile` is the URI of the local file that is linked to it. */
	readonly deployment?: { readonly draft: DeploymentDraft; readonly agentFile?: string | undefined };
	/** Open recording that the run uses. */
	readonly recording?: FileRecording | undefined;
	/** Place of the run in the recording of a suite. */
	readonly place?: RecordingPlace | undefined;
}

/** A handle for a run that was started. */
interface StartedRun {
	readonly key: string;
	/** Resolves with the last state of the run, which is `paused` if the run is waiting for a form. Never rejects. */
	readonly ended: Promise<RunRecord>;
	/** Returns the error that prevented the run, if any. */
	readonly getFailure: () => unknown;
}

/** Starts, stops and resumes runs. Writes their progress to the records, the journals and the output channel. */
export class RunControl extends DisposableBase {
	readonly #parts: RunControlParts;
	readonly #live = new Map<string, RunFollower>();
	/** Secrets of paused runs, which must be masked after the run continues. They aren't stored anywhere else. */
	readonly #secrets = new Map<string, Secrets>();
	readonly #entryEmitter = this.register(new vscode.EventEmitter<{ key: string; entry: JournalEntry }>());
	/** Fires for each new entry of a run, for views that follow the run live. */
	readonly onEntry = this.#entryEmitter.event;

	constructor(parts: RunControlParts) {
		super();
		this.#parts = parts;
		this.register({ dispose: () => this.#stopFollowingRuns() });
		this.register(parts.records.onDidTakeOver(() => this.resumeRuns()));
	}

	/** Sends a request and follows the run to its end. */
	start(connection: Connection, request: WorkflowRunRequest, origin: RunOrigin = {}): StartedRun {
		const secrets = origin.secrets ?? new Map();
		const kept = maskEntry(request, secrets);
		const record = createRunRecord(connection, kept, origin);
		runInBackground(this.#parts.journals.trimJournals(), this.#parts.log, 'Clean up run journals');
		this.#parts.records.add(record);
		const run = this.#followRun(record, origin.draft?.stream, secrets);
		const secretPlaces = [...new Set(secrets.values())];
		run.observer.onEntry({ at: record.startedAt, request: kept, ...(secretPlaces.length > 0 && { secretPlaces }) });
		// not part of the stored request, because the recording is closed when the run is repeated
		const recording = origin.recording?.createUse(origin.place ?? {}, secrets);
		const ended = run.live.start({ ...request, ...(recording && { recording }) }).then(() => run.end());
		return { key: record.key, ended, getFailure: run.failure };
	}

	/** Requests a stop. Has no effect if the run has ended. Returns true if this window is following the run. */
	stop(key: string): boolean {
		const live = this.#live.get(key);
		live?.stop();
		return live !== undefined;
	}

	/** Stops a run that this window isn't following, because it is paused or another window follows it. Rejects if the service refuses. */
	async stopUnfollowedRun(record: RunRecord): Promise<void> {
		const { key, taskId, agent, user } = record;
		if (taskId === undefined) {
			throw new Problem('no-task', vscode.l10n.t("The service hasn't reported the ID of this run yet. Try again in a moment."));
		}
		const { services } = this.#parts;
		const service = await services.getService(record);
		try {
			await service.stopRun(taskId, { model: agent, user });
		} catch (error) {
			throw services.toProblem(record, error);
		}
		this.continueRun(key);
	}

	/**
	 * Follows runs again that were active or lost when the window closed. If `connectionId` is set, only those of this connection, which
	 * wasn't available before. Runs whose ID was never reported are marked as lost.
	 */
	resumeRuns(connectionId?: string): void {
		const { records, connections, log } = this.#parts;
		for (const record of records.list()) {
			const { key, runId } = record;
			const isIncluded = connectionId === undefined || record.connectionId === connectionId;
			if (!isIncluded || (!isRunActive(record) && !shouldLookUpAgain(record)) || !records.isOwnRun(key) || this.#live.has(key)) {
				continue;
			}
			if (runId !== undefined && connections.get(record.connectionId)) {
				runInBackground(this.#refollowRun(record), log, `Run ${runId}`);
			} else if (isRunActive(record)) {
				records.updateRun(key, {
					status: 'lost',
					error: vscode.l10n.t('The window closed before the service reported the ID of the run.'),
				});
			}
		}
	}

	/** Follows a paused run again. Has no effect if the run is already being followed or belongs to another window. */
	continueRun(key: string): void {
		const record = this.#parts.records.get(key);
		if (record && isRunPaused(record) && this.#parts.records.isOwnRun(key) && !this.#live.has(key)) {
			runInBackground(this.#refollowRun(record), this.#parts.log, `Run ${record.runId ?? key}`);
		}
	}

	/** Handles a form that was answered here. Stops offering the form, even if the service still lists it. */
	onFormAnswered(key: string, form: FormSummary, action: string): void {
		const { records, journals } = this.#parts;
		const message = localizable`Answered '${form.title}' with '${action}'.`;
		const entry = { at: Date.now(), note: formatMessage(message), message };
		journals.writeEntry(key, entry);
		this.#entryEmitter.fire({ key, entry });
		records.updateRun(key, { forms: (records.get(key)?.forms ?? []).filter(({ id }) => id !== form.id) });
		this.continueRun(key);
	}

	async #refollowRun(record: RunRecord): Promise<void> {
		const run = this.#followRun(record, undefined, this.#secrets.get(record.key));
		await run.live.resumeFollowing(record, await this.#readProgress(record));
		await run.end();
	}

	async #readProgress({ key, forms: open }: RunRecord): Promise<KeptOfRun> {
		const forms = new RunForms();
		let events = 0;
		let costs: RunCosts | undefined;
		for await (const entry of this.#parts.journals.readEntries(key)) {
			events += 'event' in entry && isReplayedEvent(entry.event) ? 1 : 0;
			forms.applyEntry(entry);
			costs = addEntryCosts(costs, entry);
		}
		for (const { id } of open ? forms.open : []) {
			if (!open?.some(form => form.id === id)) {
				forms.removeAnsweredForm(id);
			}
		}
		return { events, forms, costs };
	}

	/** Returns the names of a run's stored node executions, because a Dify deployment reports all of them again. */
	async #readExecutionNames(key: string): Promise<ReadonlySet<string>> {
		const names = new Set<string>();
		for await (const entry of this.#parts.journals.readEntries(key)) {
			const name = 'event' in entry ? getExecutionName(entry.event) : undefined;
			if (name !== undefined) {
				names.add(name);
			}
		}
		return names;
	}

	#followRun(record: RunRecord, draft: StreamDraft | undefined, secrets: Secrets = new Map()) {
		const { connections, services, records, journals, channel, recordings, log } = this.#parts;
		const { key, connectionId, file } = record;
		const names = {
			connection: connections.get(connectionId)?.name ?? connectionId,
			file: file && path.posix.basename(vscode.Uri.parse(file).path),
		};
		// outputs of any size are shown, but only small ones are stored in the records
		let outputs = record.outputs;
		let failure: unknown;
		const lines = channel.createLines(() => ({ ...(records.get(key) ?? record), ...(outputs === undefined ? {} : { outputs }) }), names);
		const masker = new EntryMasker(secrets);
		const storeEntry = (entry: JournalEntry) => {
			journals.writeEntry(key, entry);
			channel.write(key, lines.formatEntry(entry));
			this.#entryEmitter.fire({ key, entry });
		};
		const observer: RunObserver = {
			onEntry: received => {
				if (this.disposed) {
					return;
				}
				if ('event' in received && received.event.event === 'ping') {
					log.trace(`Run ${records.get(key)?.runId ?? key}: ping`);
					return;
				}
				masker.maskNextEntry(received).forEach(storeEntry);
			},
			changeRecord: change => {
				if (this.disposed) {
					return;
				}
				const patch = { ...change, ...maskEntry(pickFields(change, 'outputs', 'error'), secrets) };
				outputs = 'outputs' in patch ? patch.outputs : outputs;
				records.updateRun(key, patch);
			},
			onFailed: error => {
				failure = error;
			},
		};
		const live = new RunFollower({
			connect: options => services.getService(record, { ...options, known: () => this.#readExecutionNames(key) }),
			observer,
			t: vscode.l10n.t,
			...(draft ? { stream: adaptStream(draft, () => connections.getClient(connectionId)) } : {}),
		});
		this.#live.set(key, live);
		const finishRun = async (): Promise<RunRecord> => {
			if (this.disposed) {
				return records.get(key) ?? record;
			}
			masker.releaseHeldTexts().forEach(storeEntry);
			channel.writeRunEnd(key, lines.formatRunEnd(Date.now()));
			this.#live.delete(key);
			await journals.flushEntries();
			const ended = records.get(key) ?? record;
			if (ended.recording !== undefined && isRunOver(ended)) {
				await recordings.finishRecording(ended.recording, isRunFinished(ended) && ended.status !== 'stopped');
			}
			if (isRunOver(ended) || secrets.size === 0) {
				this.#secrets.delete(key);
			} else {
				this.#secrets.set(key, secrets);
			}
			return ended;
		};
		return { live, observer, end: finishRun, failure: () => failure };
	}

	/** Stops following all runs. The runs continue on their services, and the next window finds them by ID. */
	#stopFollowingRuns(): void {
		for (const live of this.#live.values()) {
			live.stopFollowing();
		}
	}
}

/** Adapts the stream of a draft to the interface of the follower. */
function adaptStream(stream: StreamDraft, connect: () => Promise<RunClient>): NonNullable<RunFollowerParts['stream']> {
	return async function* (request, options) {
		yield* stream(await connect(), request, options);
	};
}

/** How long after its start a new window looks up a lost run again, in milliseconds. */
const lookUpMs = 3 * 24 * 3600 * 1000;

function shouldLookUpAgain({ status, forgotten, startedAt }: RunRecord): boolean {
	return status === 'lost' && !forgotten && Date.now() - startedAt < lookUpMs;
}

/** Returns an object with only the named fields, if they exist. */
function pickFields<T extends object, K extends keyof T>(from: T, ...names: K[]): Partial<Pick<T, K>> {
	return Object.fromEntries(names.flatMap(name => (name in from ? [[name, from[name]]] : []))) as Partial<Pick<T, K>>;
}
