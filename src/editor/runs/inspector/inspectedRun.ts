import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { translateMessage } from '#base/text/localizableMessage.ts';
import { getNodeDetail } from '#pages/inspector/detail/nodeDetail.ts';
import { toShownOutputs } from '#pages/inspector/detail/shownOutputs.ts';
import type { FromInspectorHost, InspectorHead, NodeDetail, ShownOutput } from '#pages/inspector/inspectorMessages.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { Timeline } from '#runs/events/timeline.ts';
import { TimelineHistory } from '#runs/events/timelineHistory.ts';
import { NodeValues } from '#runs/following/nodeValues.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import { RunForms } from '#runs/forms/runForms.ts';
import type { EventJournals } from '#runs/history/eventJournals.ts';
import { isRunActive, isRunOver, isRunPaused } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { parseServiceRunKey } from '#runs/serviceRun.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { RunControl } from '../following/runControl.ts';
import type { RunDocumentProvider } from '../following/runDocumentProvider.ts';
import type { ServiceRuns } from '../following/serviceRuns.ts';
import type { RunFormAnswers } from '../forms/runFormAnswers.ts';
import { type NodeInFile, type NoGraph, RunGraphs } from './runGraphs.ts';
import type { RunReading } from './runReading.ts';
import { ServiceRun } from './serviceRun.ts';
import { StoredRun } from './storedRun.ts';
import { toShownTreeRun } from './treeRuns.ts';

/** The sources that an inspected run can be read from. */
export interface RunSource {
	readonly runs: Runs;
	readonly control: RunControl;
	readonly journals: EventJournals;
	readonly documents: RunDocumentProvider;
	readonly serviceRuns: ServiceRuns;
	readonly answers: RunFormAnswers;
	readonly connections: Connections;
	/** Returns the absolute paths of the agents folders, or none in an untrusted workspace. */
	readonly agentFolders: () => readonly string[];
	readonly log: vscode.LogOutputChannel;
}

/** A run in an inspector. Reads the run from its start, then follows it live. Large values aren't kept in memory but read on request. */
export class InspectedRun extends DisposableBase {
	readonly #connections: Connections;
	readonly #reading: RunReading;
	/** The moments of the run so far. */
	readonly history = new TimelineHistory();
	readonly #timeline = new Timeline(this.history);
	readonly values = new NodeValues();
	readonly #forms = new RunForms();
	readonly #graphs: RunGraphs;
	#lastAt = 0;
	#isRead = false;
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	/** Fires when the rows, the text or the head have changed. */
	readonly onDidChange = this.#changed.event;

	constructor(source: RunSource, key: string) {
		super();
		const ofService = parseServiceRunKey(key);
		this.#connections = source.connections;
		this.#reading = this.register(ofService ? new ServiceRun(source, ofService) : new StoredRun(source, key));
		this.#graphs = new RunGraphs(source.agentFolders);
	}

	/** Reads all entries of the run so far, then follows it. */
	async loadRun(): Promise<void> {
		this.register(this.#reading.onEntry(entry => this.#handleEntry(entry)));
		this.register(this.#reading.onDidChange(() => this.#onRecordChange()));
		for await (const entry of this.#reading.readEntries()) {
			this.#addEntry(entry);
		}
		this.#isRead = true;
		this.#endFinishedTimeline();
	}

	get record(): RunRecord | undefined {
		return this.#reading.record;
	}

	/** Says why there is no record. Undefined if the run was removed from the history. */
	get problem(): string | undefined {
		return this.#reading.problem;
	}

	/** Returns the key of the previous (-1) or next (1) run among those that repeat each other. */
	getNeighborKey(offset: -1 | 1): string | undefined {
		const { before, after } = this.#reading.chain ?? {};
		return offset < 0 ? before : after;
	}

	/** Key of the run that this one is a fork of. */
	get parentKey(): string | undefined {
		return this.#reading.parentKey;
	}

	get timeline(): Timeline {
		return this.#timeline;
	}

	/** Content of the inspector's head, or `undefined` if the run was removed from the history. */
	get head(): Omit<InspectorHead, 'kept'> | undefined {
		const { record } = this;
		if (!record) {
			return undefined;
		}
		const { key, agent, runId, status, startedAt, error, connectionId, mode, user, file } = record;
		const { elapsedSeconds, totalTokens, totalSteps } = record;
		const { chain, tree } = this.#reading;
		return {
			key,
			agent,
			status,
			startedAt,
			mode,
			user,
			connection: this.#connections.get(connectionId)?.name ?? connectionId,
			draft: record.draft === true || record.deploymentDraft !== undefined,
			elsewhere: parseServiceRunKey(key) !== undefined,
			live: isRunActive({ status }),
			waits: isRunPaused({ status }),
			waitedMs: this.#timeline.waitedMs,
			moments: this.history.count,
			actions: this.#reading.actions,
			...(chain ? { chain: { place: chain.place, count: chain.count } } : {}),
			...(tree.length > 0 ? { tree: tree.map(toShownTreeRun) } : {}),
			...(record.costs ? { costs: record.costs } : {}),
			...(runId === undefined ? {} : { runId }),
			...(error === undefined ? {} : { error }),
			...(file === undefined ? {} : { file: path.posix.basename(vscode.Uri.parse(file).path) }),
			// services report zeros for a lost run
			...(elapsedSeconds ? { elapsedMs: elapsedSeconds * 1000 } : {}),
			...(totalTokens ? { tokens: totalTokens } : {}),
			...(totalSteps ? { steps: totalSteps } : {}),
		};
	}

	/** The forms that the run is waiting for. */
	get forms(): readonly RunForm[] {
		const { record } = this;
		return record && this.#reading.answersForms ? this.#forms.findOpenForms(record) : [];
	}

	/** Returns the outputs of a finished run. */
	async readOutputs(): Promise<readonly ShownOutput[] | undefined> {
		const { record } = this;
		return record && isRunOver(record) ? toShownOutputs(await this.#reading.readOutputs()) : undefined;
	}

	/**
	 * Returns the details of a row.
	 * @param until index of the last journal entry to consider; undefined for all
	 */
	async readRowDetail(id: string, until?: number): Promise<NodeDetail> {
		const { record } = this;
		const places = this.#timeline.getEntryIndexes(id);
		const node = this.#timeline.rows.find(row => row.id === id)?.nodeId;
		const [entries, data] = await Promise.all([
			this.#reading.readEntriesAt(until === undefined ? places : places.filter(place => place <= until)),
			record && node !== undefined ? this.#graphs.readNodeData(record, node, this.#reading.ranGraph) : undefined,
		]);
		return getNodeDetail(entries, this.#timeline.getThoughts(id, until), data);
	}

	/** Finds a node in the agent file of the run. If it can't be found, returns the reason. */
	async findNodeSource(node: string): Promise<NodeInFile | NoGraph> {
		const { record } = this;
		return record
			? this.#graphs.findNode(record, node, this.#timeline.findLastExecution(node)?.error)
			: { why: vscode.l10n.t('This run is no longer in the history.') };
	}

	/**
	 * Finds the file with the graph. If `whole` is true, also reads the graph. Returns `undefined` if the run was removed from the history.
	 */
	async readGraph(whole: boolean): Promise<Omit<Extract<FromInspectorHost, { type: 'graph' }>, 'type'> | undefined> {
		const { record } = this;
		if (!record) {
			return undefined;
		}
		const { ranGraph } = this.#reading;
		if (ranGraph) {
			return whole ? this.#graphs.toAgentPicture(ranGraph) : {};
		}
		const place = await this.#graphs.findAgentFile(record);
		if ('why' in place) {
			return place;
		}
		return { file: place.file, ...(whole ? await this.#graphs.readPicture(place, record) : {}) };
	}

	#handleEntry(entry: JournalEntry): void {
		this.#addEntry(entry);
		this.#changed.fire();
	}

	#addEntry(entry: JournalEntry): void {
		this.#lastAt = entry.at;
		const note = 'note' in entry && entry.message ? translateMessage(entry.message, vscode.l10n.t) : undefined;
		const row = this.#timeline.addEntry(note === undefined ? entry : { at: entry.at, note });
		this.values.addEntry(entry, row);
		this.#forms.applyEntry(entry);
	}

	#onRecordChange(): void {
		if (this.#isRead) {
			this.#endFinishedTimeline();
			this.#changed.fire();
		}
	}

	#endFinishedTimeline(): void {
		const { record } = this;
		if (record && isRunOver(record)) {
			this.#timeline.endRun(this.#lastAt);
		}
	}
}
