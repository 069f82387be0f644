import { findNodeKind } from '#agentFile/nodeKinds/nodeKinds.ts';
import { cutToLimit } from '#base/text/cutText.ts';
import type { VariableSetEvent } from '#contract/debugging.ts';
import { isReadableEvent } from '#contract/eventFields.ts';
import { type AgentLogEvent, isEvent, type WorkflowEvent } from '#contract/events.ts';
import { findCriticalRows } from './criticalPath.ts';
import type { JournalEntry } from './journalEntry.ts';
import { getNodeCosts } from './nodeCosts.ts';
import { getDurationMs, getExecutionId, getIteration, getStandIn, hasIterationIndex, type NodeData, type StandIn } from './nodeData.ts';
import { NodeThoughts } from './nodeThoughts.ts';
import { OpenContainers } from './openContainers.ts';
import { formatVariableSet } from './setText.ts';
import { TimelineClock } from './timelineClock.ts';
import type { TimelineHistory } from './timelineHistory.ts';
import { TimelineRows } from './timelineRows.ts';

/**
 * A row of the inspector's timeline: a node execution, an agent's log (`agent_log`), one of our notes (`note`), or another event (its name
 * is the kind). Times are Unix milliseconds minus the total of earlier pauses, because a pause of days would hide everything else.
 */
export interface TimelineRow {
	readonly id: string;
	/** Row of the surrounding iteration or loop; for an agent's log, its node or round. */
	readonly parent?: string;
	readonly nodeId?: string;
	/** ID of the preceding node, if the service names it. */
	readonly predecessor?: string;
	/** Iteration of the surrounding container, from 1. */
	readonly round?: number;
	/** Number of iterations of this container, if known. */
	readonly rounds?: number;
	/** Node type, `note`, or the name of an event. */
	readonly kind: string;
	readonly title: string;
	/**
	 * Status as reported by the service. `paused`: waiting for input; `waited`: it was paused, and the result is in the next row;
	 * `unfinished`: the run is over, but the node's end wasn't reported; `info`: an entry without a status.
	 */
	readonly status: string;
	readonly start: number;
	readonly end?: number;
	readonly retries?: number;
	readonly tokens?: number;
	/** What the node paid. */
	readonly price?: number;
	/** Price of reused replies or of the recorded result. */
	readonly saved?: number;
	readonly currency?: string;
	readonly error?: string;
	/** Output handle that a branching node chose: the ID of a case or class. */
	readonly branch?: string;
	/** Set if the node didn't run, because a mock or the outputs of an earlier run were used, or if a recording answered its calls. */
	readonly standIn?: StandIn;
	/** True if one of the node's outputs was changed in a debugger. */
	readonly changedByHand?: boolean;
	/** True if the row is on the critical path; set once the run is over. */
	readonly critical?: boolean;
}

const longestError = 500;
/** Maximum number of rows for events that aren't about nodes. */
const mostEventRows = 1000;
/** Maximum length of the streamed text in UTF-16 units. The outputs have the whole text. */
export const longestText = 1_000_000;

/** Folds the journal entries of a run into the rows of a timeline, and tracks which entries each row was made from. */
export class Timeline {
	/** Text streamed so far. */
	text = '';
	readonly #rows: TimelineRows;
	readonly #history: TimelineHistory | undefined;
	/** Row ID by execution ID. If a service reuses an execution ID, the last row wins. */
	readonly #executions = new Map<string, string>();
	#eventRows = 0;
	readonly #containers = new OpenContainers();
	readonly #thoughts = new NodeThoughts();
	readonly #clock = new TimelineClock();

	/** `history` records the moments of the run. */
	constructor(history?: TimelineHistory) {
		this.#history = history;
		this.#rows = new TimelineRows(history);
	}

	/** Processes the next journal entry of the run. Returns the row of its node in its new state. */
	addEntry(entry: JournalEntry): TimelineRow | undefined {
		this.#rows.place++;
		if ('event' in entry) {
			this.#resumeClock(entry);
			return this.#applyEvent(entry.at, entry.event);
		}
		if ('note' in entry) {
			const at = this.#clock.getNoteTime(entry.at);
			this.#addNote(at, `note-${this.#rows.place}`, entry.note);
		}
		return undefined;
	}

	/** Ends the timeline: marks nodes without an end as unfinished, and the critical path. */
	endRun(at: number): void {
		for (const row of this.#rows.getAllRows()) {
			if (row.end === undefined) {
				this.#rows.setFinalState({ ...row, status: 'unfinished', end: Math.max(row.start, this.#clock.toRunTime(at)) });
			} else if (row.status === 'paused') {
				this.#rows.setFinalState({ ...row, status: 'waited' });
			}
		}
		const critical = findCriticalRows(this.#rows.getAllRows());
		for (const row of this.#rows.getAllRows()) {
			if (critical.has(row.id) !== (row.critical ?? false)) {
				this.#rows.setFinalState({ ...row, critical: critical.has(row.id) });
			}
		}
	}

	/** All rows, in order of their start. */
	get rows(): readonly TimelineRow[] {
		return this.#rows.getAllRows();
	}

	getRow(id: string): TimelineRow | undefined {
		return this.#rows.get(id);
	}

	/** Returns the last execution of a node. */
	findLastExecution(node: string): TimelineRow | undefined {
		return this.#rows.findLastRow(node);
	}

	/** Total time that the run has been paused so far, in milliseconds. */
	get waitedMs(): number {
		return this.#clock.waitedMs;
	}

	/**
	 * Returns the thoughts of a node's model that events reported.
	 * @param until with a history: index of the last journal entry to consider
	 */
	getThoughts(id: string, until?: number): string {
		const text = this.#thoughts.getText(id);
		return until === undefined ? text : text.slice(0, this.#history?.getThoughtsLength(id, until) ?? 0);
	}

	/** Returns the current iteration of a running container, from 1. If iterations run in parallel, returns the one that started last. */
	getIteration(id: string): number | undefined {
		return this.#containers.getIteration(id);
	}

	/** Returns the indexes of the journal entries, from 0, that a row was made from. */
	getEntryIndexes(id: string): readonly number[] {
		return this.#rows.getEntryIndexes(id);
	}

	/** Returns the rows that were added or changed since the last call. */
	takeChangedRows(): readonly TimelineRow[] {
		return this.#rows.takeChangedRows();
	}

	#applyEvent(at: number, event: WorkflowEvent): TimelineRow | undefined {
		const { event: name } = event;
		if (!isReadableEvent(event)) {
			this.#addEventRow(at, name, name, 'info', undefined);
			return undefined;
		}
		const data = ('data' in event && typeof event.data === 'object' && event.data !== null ? event.data : {}) as NodeData;
		if (isEvent(event, 'workflow_started')) {
			this.#clock.setStart(at, event.data.created_at);
		} else if (isEvent(event, 'text_replace')) {
			this.#replaceText(event.data.text.slice(0, longestText));
		} else if (isEvent(event, 'text_chunk')) {
			// don't cut a full text again with each chunk, which copies it
			this.text = this.text.length < longestText ? (this.text + event.data.text).slice(0, longestText) : this.text;
			this.#countText();
		} else if (name === 'node_started') {
			return this.#startNode(at, data);
		} else if (name === 'node_finished') {
			return this.#finishNode(at, data);
		} else if (name === 'node_retry') {
			return this.#retryNode(at, data);
		} else if (/^(iteration|loop)_started$/.test(name)) {
			return this.#openContainer(at, data);
		} else if (/^(iteration|loop)_next$/.test(name)) {
			return this.#startIteration(at, data);
		} else if (/^(iteration|loop)_completed$/.test(name)) {
			const row = this.#finishNode(at, data);
			this.#containers.closeContainer(row);
			return row;
		} else if (isEvent(event, 'agent_log')) {
			this.#applyAgentLog(at, event.data);
		} else if (name === 'reasoning_chunk') {
			this.#addThoughts(data);
		} else if (name === 'workflow_paused') {
			this.#pauseNodes(at, data);
		} else if (/^human_input_(required|form_filled|form_timeout)$/.test(name)) {
			return this.#applyForm(at, name, data);
		} else if (isEvent(event, 'error')) {
			this.#addEventRow(at, name, `${event.code}: ${event.message}`, 'failed', `${event.code}: ${event.message}`);
		} else if (name === 'variable_set') {
			this.#markNodeChanged(at, data as NodeData & Pick<VariableSetEvent['data'], 'selector' | 'value' | 'agent'>);
		} else if (name === 'tts_message') {
			this.#addAudio(at);
		} else if (!['ping', 'workflow_finished', 'tts_message_end'].includes(name)) {
			this.#addEventRow(
				at,
				name,
				toOptionalString(data.title) ?? name,
				toOptionalString(data.status) ?? 'info',
				toOptionalString(data.error),
			);
		}
		return undefined;
	}

	#startNode(at: number, data: NodeData): TimelineRow {
		const execution = getExecutionId(data);
		const id = this.#createRowId(execution);
		const container = this.#containers.findContainer(data);
		const index = data.execution_metadata?.iteration_index ?? data.execution_metadata?.loop_index;
		const round = getIteration(data, container?.nodeId) ?? (index === undefined ? container?.round : index + 1);
		const rounds = data.metadata?.iteration_length ?? data.metadata?.loop_length;
		const row = this.#rows.add({
			id,
			kind: data.node_type ?? 'node',
			title: data.title || data.node_id || id,
			status: 'running',
			start: this.#clock.getEventTime(at, data.created_at),
			...(typeof data.node_id === 'string' ? { nodeId: data.node_id } : {}),
			...(data.predecessor_node_id ? { predecessor: data.predecessor_node_id } : {}),
			...toStandInField(data),
			...(container ? { parent: container.rowId } : {}),
			...(container && round !== undefined ? { round } : {}),
			...(rounds === undefined ? {} : { rounds }),
		});
		if (this.#rows.has(id)) {
			this.#executions.set(execution, id);
		}
		return row;
	}

	/** Returns an ID that no row has: a row with another one's ID would move that one's children, even into themselves. */
	#createRowId(execution: string): string {
		let id = execution;
		while (this.#rows.has(id)) {
			id = `${id}#${this.#rows.place}`;
		}
		return id;
	}

	#finishNode(at: number, data: NodeData): TimelineRow {
		const tookMs = getDurationMs(data);
		const row = this.#getCurrentRow(data) ?? this.#startNode(at - (tookMs ?? 0), data);
		const { execution_metadata: metadata, error } = data;
		const tokens = metadata?.total_tokens ?? data.total_tokens;
		const { paid: price, saved, currency } = getNodeCosts(data);
		const branches = findNodeKind(row.kind)?.branches;
		const branch = branches && !branches.byPerson ? data.outputs?.[branches.output] : undefined;
		// some services name the iteration of a node only at its end
		const index = metadata?.iteration_index ?? metadata?.loop_index;
		const round = row.parent === undefined || index === undefined || hasIterationIndex(data) ? undefined : index + 1;
		this.#rows.linkEntry(row.id);
		return this.#rows.set({
			...row,
			status: data.status ?? 'succeeded',
			end: tookMs === undefined ? Math.max(row.start, this.#clock.toRunTime(at)) : row.start + tookMs,
			...(round === undefined ? {} : { round }),
			...(tokens ? { tokens } : {}),
			...(price > 0 || metadata?.['free'] === true ? { price } : {}),
			...(saved > 0 ? { saved } : {}),
			...(currency === undefined ? {} : { currency }),
			...(error ? { error: cutToLimit(error, longestError) } : {}),
			...(typeof branch === 'string' ? { branch } : {}),
			...toStandInField(data),
		});
	}

	#openContainer(at: number, data: NodeData): TimelineRow {
		const row = this.#startNode(at, data);
		if (this.#rows.has(row.id)) {
			this.#containers.openContainer(row, data.node_id ?? '');
		}
		return row;
	}

	#retryNode(at: number, data: NodeData): TimelineRow {
		const row = this.#getCurrentRow(data) ?? this.#startNode(at, data);
		this.#rows.linkEntry(row.id);
		const retries = data.retry_index ?? (row.retries ?? 0) + 1;
		return this.#rows.set({ ...row, retries, ...(data.error ? { error: cutToLimit(data.error, longestError) } : {}) });
	}

	#startIteration(at: number, data: NodeData): TimelineRow {
		const row = this.#getCurrentRow(data) ?? this.#openContainer(at, data);
		this.#containers.startIteration(row.id, data.index);
		this.#rows.linkEntry(row.id);
		return row;
	}

	/** Adds a round of an agent under its node, or a step under its round. */
	#applyAgentLog(time: number, { id: logged, parent_id, node_execution_id, label, status, error, metadata }: AgentLogEvent['data']): void {
		const at = this.#clock.toRunTime(time);
		const id = createLogRowId(logged);
		const known = this.#rows.get(id);
		const parents = [parent_id ? createLogRowId(parent_id) : undefined, this.#executions.get(node_execution_id ?? '')];
		const parent = parents.find(candidate => candidate !== undefined && candidate !== id && this.#rows.get(candidate) !== undefined);
		const tokens = Number(metadata?.['total_tokens'] ?? 0);
		const row = known ?? { id, kind: 'agent_log', title: label, start: at, ...(parent === undefined ? {} : { parent }) };
		this.#rows.add({
			...row,
			status: { start: 'running', success: 'succeeded', error: 'failed' }[status as 'start'] ?? status,
			...(status === 'start' ? {} : { end: at }),
			...(tokens > 0 ? { tokens } : {}),
			...(error ? { error: cutToLimit(error, longestError) } : {}),
		});
	}

	#addAudio(time: number): void {
		const id = 'audio';
		const at = this.#clock.toRunTime(time);
		if (this.#rows.get(id)) {
			this.#rows.linkEntry(id);
		} else {
			this.#rows.add({ id, kind: 'tts_message', title: 'tts_message', status: 'info', start: at, end: at });
		}
	}

	#addNote(at: number, id: string, title: string): void {
		this.#rows.add({ id, kind: 'note', title, status: 'info', start: at, end: at });
	}

	#addEventRow(time: number, kind: string, title: string, status: string, error: string | undefined): void {
		const at = this.#clock.toRunTime(time);
		if (this.#eventRows++ >= mostEventRows) {
			const id = 'further-events';
			if (this.#rows.has(id)) {
				this.#rows.linkEntry(id);
			} else {
				this.#addNote(at, id, "Further events of this kind aren't shown.");
			}
			return;
		}
		const id = `event-${this.#rows.place}`;
		this.#rows.add({ id, kind, title, status, start: at, end: at, ...(error ? { error: cutToLimit(error, longestError) } : {}) });
	}

	/** Adds a row for the changed variable, and marks its node: the last execution in the reported iteration. */
	#markNodeChanged(at: number, data: NodeData & Pick<VariableSetEvent['data'], 'selector' | 'value' | 'agent'>): void {
		this.#addEventRow(at, 'variable_set', formatVariableSet(data), 'info', undefined);
		const [node] = Array.isArray(data.selector) ? data.selector : [];
		const container = this.#containers.findContainer(data);
		const round = container && getIteration(data, container.nodeId);
		const row =
			data.agent === undefined ? this.#rows.findLastRow(node, each => each.parent !== container?.rowId || each.round === round) : undefined;
		if (row) {
			this.#rows.set({ ...row, changedByHand: true });
		}
	}

	/** Applies a form event to its node's last execution. */
	#applyForm(at: number, name: string, data: NodeData): TimelineRow | undefined {
		const row = this.#rows.findLastRow(data.node_id);
		if (!row) {
			this.#addEventRow(at, name, name, 'info', undefined);
			return undefined;
		}
		this.#rows.linkEntry(row.id);
		const status = name === 'human_input_required' ? 'paused' : row.status === 'paused' ? 'waited' : row.status;
		return this.#rows.set({ ...row, status });
	}

	/** Pauses the nodes that have started: nothing runs while a run is paused. */
	#pauseNodes(at: number, data: NodeData): void {
		const pausedAt = this.#clock.pauseClock(at, data.created_at);
		for (const row of this.#rows.getOpenRows()) {
			this.#rows.set({ ...row, status: 'paused', end: Math.max(row.start, pausedAt) });
		}
	}

	/** Ends the pause at the first event after it. */
	#resumeClock({ at, event }: Extract<JournalEntry, { event: WorkflowEvent }>): void {
		// these two events carry the run's start time
		if (event.event !== 'ping' && event.event !== 'workflow_started') {
			this.#clock.resumeClock(at, 'data' in event ? (event.data as NodeData | null | undefined)?.created_at : undefined);
		}
	}

	#addThoughts({ node_id, reasoning }: NodeData): void {
		const row = this.#rows.findLastRow(node_id);
		if (row && typeof reasoning === 'string' && this.#thoughts.add(row.id, reasoning)) {
			this.#rows.markRowChanged(row.id);
			this.#history?.addThoughts(this.#rows.place, row.id, this.#thoughts.getText(row.id).length);
		}
	}

	#replaceText(text: string): void {
		if (!text.startsWith(this.text)) {
			this.#history?.replaceText(this.text);
		}
		this.text = text;
		this.#countText();
	}

	#countText(): void {
		if (this.#history) {
			this.#history.textLength = this.text.length;
		}
	}

	#getCurrentRow(data: NodeData): TimelineRow | undefined {
		return this.#rows.get(this.#executions.get(getExecutionId(data)) ?? '');
	}
}

function toStandInField(data: NodeData): Pick<TimelineRow, 'standIn'> {
	const standIn = getStandIn(data);
	return standIn === undefined ? {} : { standIn };
}

/** Prefixes the ID of a log, because a service may use the same ID for a node. */
function createLogRowId(id: string): string {
	return `log-${id}`;
}

/** Reads a string from an unknown event, whose fields can have any type. */
function toOptionalString(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}
