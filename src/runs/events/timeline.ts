import { findNodeKind } from '#agentFile/nodeKinds/nodeKinds.ts';
import { beginningOf } from '#base/text/cutText.ts';
import type { VariableSetEvent } from '#contract/debugging.ts';
import { isReadable } from '#contract/eventFields.ts';
import { type AgentLogEvent, isEvent, type WorkflowEvent } from '#contract/events.ts';
import { markCriticalPath } from './criticalPath.ts';
import type { JournalEntry } from './journalEntry.ts';
import { executionOf, type NodeData, roundOf, saysRound, standInOf, tookMsOf } from './nodeData.ts';
import { NodeThoughts } from './nodeThoughts.ts';
import { OpenContainers } from './openContainers.ts';
import { setText } from './setText.ts';
import { TimelineClock } from './timelineClock.ts';
import { TimelineRows } from './timelineRows.ts';

/**
 * A row of the inspector's timeline: a node as it was executed, what an agent did in it (`agent_log`), a word of ours on what happened (`note`), or an event that is of no node
 * (its name is the kind). Times are Unix milliseconds, less what the run has waited for a person until then: a bar of days would leave none of the others.
 */
export interface TimelineRow {
	readonly id: string;
	/** Row of the iteration or loop that this node runs in; of an agent's log, the node or round that it is of. */
	readonly parent?: string;
	readonly nodeId?: string;
	/** Node that led here, where the service names it. */
	readonly predecessor?: string;
	/** Round of its container, from 1. */
	readonly round?: number;
	/** Rounds of this container, where it says how many there are. */
	readonly rounds?: number;
	/** Node type, `note`, or the name of an event. */
	readonly kind: string;
	readonly title: string;
	/**
	 * The service's word; `paused`: it waits for a person; `waited`: it did, and what came of it is in the row after; `unfinished`: the run is over, and
	 * this node's end was not told; `told`: nothing that has a status.
	 */
	readonly status: string;
	readonly start: number;
	readonly end?: number;
	readonly retries?: number;
	readonly tokens?: number;
	readonly price?: number;
	readonly currency?: string;
	readonly error?: string;
	/** Way out that a branching node chose: the ID of a case or class. */
	readonly branch?: string;
	/** It was not run: something stood in for it, or what an earlier run has recorded was taken. */
	readonly standIn?: 'mocked' | 'recorded';
	/** Something that it put out was set to another value in a debugger. */
	readonly changedByHand?: boolean;
	/** On the chain of nodes that the run's time went to; told once the run is over. */
	readonly critical?: boolean;
}

const longestError = 500;
/** More of the streamed text is not shown, in UTF-16 units; the outputs have it. */
const longestText = 1_000_000;

/** Folds what came of a run, entry by entry, into the rows of a timeline. Keeps what is shown, and which entries each row was made of. */
export class Timeline {
	/** Text that the run streamed so far. */
	text = '';
	readonly #rows = new TimelineRows();
	/** Row of each execution ID: the last, where a service gives one ID to several. */
	readonly #executions = new Map<string, string>();
	readonly #containers = new OpenContainers();
	readonly #thoughts = new NodeThoughts();
	readonly #clock = new TimelineClock();

	/** Takes the next entry of the run's journal. Returns the row of the node that it is of, as it stands then. */
	take(entry: JournalEntry): TimelineRow | undefined {
		this.#rows.place++;
		if ('event' in entry) {
			this.#goOn(entry);
			return this.#event(entry.at, entry.event);
		}
		if ('note' in entry) {
			const at = this.#clock.noted(entry.at);
			this.#rows.add({ id: `note-${this.#rows.place}`, kind: 'note', title: entry.note, status: 'told', start: at, end: at });
		}
		return undefined;
	}

	/** The run is over: nodes whose end never came are said to be so, and the critical path is marked. */
	end(at: number): void {
		for (const row of this.#rows.all()) {
			if (row.end === undefined) {
				this.#rows.set({ ...row, status: 'unfinished', end: Math.max(row.start, this.#clock.told(at)) });
			} else if (row.status === 'paused') {
				this.#rows.set({ ...row, status: 'waited' });
			}
		}
		const critical = markCriticalPath(this.#rows.all());
		for (const row of this.#rows.all()) {
			if (critical.has(row.id) !== (row.critical ?? false)) {
				this.#rows.set({ ...row, critical: critical.has(row.id) });
			}
		}
	}

	/** All rows, in the order in which they began. */
	get rows(): readonly TimelineRow[] {
		return this.#rows.all();
	}

	row(id: string): TimelineRow | undefined {
		return this.#rows.get(id);
	}

	/** The last execution of a node. */
	lastOf(node: string): TimelineRow | undefined {
		return this.#rows.lastOf(node);
	}

	/** How long the run has waited for people before what it does now, in milliseconds. */
	get waitedMs(): number {
		return this.#clock.waitedMs;
	}

	/** What the model of a node thought, as far as it was told by events. */
	thoughtsOf(id: string): string {
		return this.#thoughts.of(id);
	}

	/** Round, from 1, that a container which runs is in; of parallel ones the last that began. */
	roundIn(id: string): number | undefined {
		return this.#containers.roundIn(id);
	}

	/** Places in the journal, from 0, of what a row was made of. */
	entriesOf(id: string): readonly number[] {
		return this.#rows.entriesOf(id);
	}

	/** Rows that came or changed since this was last asked. */
	takeChanges(): readonly TimelineRow[] {
		return this.#rows.takeChanges();
	}

	#event(at: number, event: WorkflowEvent): TimelineRow | undefined {
		const { event: name } = event;
		if (!isReadable(event)) {
			this.#once(at, name, name, 'told', undefined);
			return undefined;
		}
		const data = ('data' in event && typeof event.data === 'object' && event.data !== null ? event.data : {}) as NodeData;
		if (isEvent(event, 'workflow_started')) {
			this.#clock.begin(at, event.data.created_at);
		} else if (isEvent(event, 'text_replace')) {
			this.text = event.data.text.slice(0, longestText);
		} else if (isEvent(event, 'text_chunk')) {
			// a full text isn't cut again with each piece: that copies it
			this.text = this.text.length < longestText ? (this.text + event.data.text).slice(0, longestText) : this.text;
		} else if (name === 'node_started') {
			return this.#begin(at, data);
		} else if (name === 'node_finished') {
			return this.#finish(at, data);
		} else if (name === 'node_retry') {
			return this.#retry(at, data);
		} else if (/^(iteration|loop)_started$/.test(name)) {
			return this.#open(at, data);
		} else if (/^(iteration|loop)_next$/.test(name)) {
			return this.#nextRound(at, data);
		} else if (/^(iteration|loop)_completed$/.test(name)) {
			const row = this.#finish(at, data);
			this.#containers.close(row);
			return row;
		} else if (isEvent(event, 'agent_log')) {
			this.#log(at, event.data);
		} else if (name === 'reasoning_chunk') {
			this.#think(data);
		} else if (name === 'workflow_paused') {
			this.#pause(at, data);
		} else if (/^human_input_(required|form_filled|form_timeout)$/.test(name)) {
			return this.#form(at, name, data);
		} else if (isEvent(event, 'error')) {
			this.#once(at, name, `${event.code}: ${event.message}`, 'failed', `${event.code}: ${event.message}`);
		} else if (name === 'variable_set') {
			this.#changedByHand(at, data as NodeData & Pick<VariableSetEvent['data'], 'selector' | 'value' | 'agent'>);
		} else if (name === 'tts_message') {
			this.#audio(at);
		} else if (!['ping', 'workflow_finished', 'tts_message_end'].includes(name)) {
			this.#once(at, name, textOf(data.title) ?? name, textOf(data.status) ?? 'told', textOf(data.error));
		}
		return undefined;
	}

	#begin(at: number, data: NodeData): TimelineRow {
		const execution = executionOf(data);
		const known = this.#executions.get(execution);
		const id = known === undefined ? execution : `${execution}#${this.#rows.place}`;
		this.#executions.set(execution, id);
		const container = this.#containers.of(data);
		const index = data.execution_metadata?.iteration_index ?? data.execution_metadata?.loop_index;
		const round = roundOf(data, container?.nodeId) ?? (index === undefined ? container?.round : index + 1);
		const rounds = data.metadata?.iteration_length ?? data.metadata?.loop_length;
		return this.#rows.add({
			id,
			kind: data.node_type ?? 'node',
			title: data.title || data.node_id || id,
			status: 'running',
			start: this.#clock.when(at, data.created_at),
			...(data.node_id === undefined ? {} : { nodeId: data.node_id }),
			...(data.predecessor_node_id ? { predecessor: data.predecessor_node_id } : {}),
			...standInField(data),
			...(container ? { parent: container.rowId } : {}),
			...(container && round !== undefined ? { round } : {}),
			...(rounds === undefined ? {} : { rounds }),
		});
	}

	#finish(at: number, data: NodeData): TimelineRow {
		const tookMs = tookMsOf(data);
		const row = this.#current(data) ?? this.#begin(at - (tookMs ?? 0), data);
		const { execution_metadata: metadata, error } = data;
		const tokens = metadata?.total_tokens ?? data.total_tokens;
		const price = Number(metadata?.total_price ?? 0);
		const branches = findNodeKind(row.kind)?.branches;
		const branch = branches && !branches.byPerson ? data.outputs?.[branches.output] : undefined;
		// some services name the round of a node only at its end
		const index = metadata?.iteration_index ?? metadata?.loop_index;
		const round = row.parent === undefined || index === undefined || saysRound(data) ? undefined : index + 1;
		this.#rows.touch(row.id);
		return this.#rows.set({
			...row,
			status: data.status ?? 'succeeded',
			end: tookMs === undefined ? Math.max(row.start, this.#clock.told(at)) : row.start + tookMs,
			...(round === undefined ? {} : { round }),
			...(tokens ? { tokens } : {}),
			...(price > 0 || metadata?.['free'] === true ? { price, ...(metadata?.currency ? { currency: metadata.currency } : {}) } : {}),
			...(error ? { error: beginningOf(error, longestError) } : {}),
			...(typeof branch === 'string' ? { branch } : {}),
			...standInField(data),
		});
	}

	#open(at: number, data: NodeData): TimelineRow {
		const row = this.#begin(at, data);
		this.#containers.open(row, data.node_id ?? '');
		return row;
	}

	#retry(at: number, data: NodeData): TimelineRow {
		const row = this.#current(data) ?? this.#begin(at, data);
		this.#rows.touch(row.id);
		const retries = data.retry_index ?? (row.retries ?? 0) + 1;
		return this.#rows.set({ ...row, retries, ...(data.error ? { error: beginningOf(data.error, longestError) } : {}) });
	}

	#nextRound(at: number, data: NodeData): TimelineRow {
		const row = this.#current(data) ?? this.#open(at, data);
		this.#containers.next(row.id, data.index);
		this.#rows.touch(row.id);
		return row;
	}

	/** A round of an agent, below its node, or what the agent does in it, below the round. */
	#log(time: number, { id: logged, parent_id, node_execution_id, label, status, error, metadata }: AgentLogEvent['data']): void {
		const at = this.#clock.told(time);
		const id = logRow(logged);
		const known = this.#rows.get(id);
		const parents = [parent_id ? logRow(parent_id) : undefined, this.#executions.get(node_execution_id ?? '')];
		const parent = parents.find(candidate => candidate !== undefined && candidate !== id && this.#rows.get(candidate) !== undefined);
		const tokens = Number(metadata?.['total_tokens'] ?? 0);
		const row = known ?? { id, kind: 'agent_log', title: label, start: at, ...(parent === undefined ? {} : { parent }) };
		this.#rows.touch(id);
		this.#rows.set({
			...row,
			status: { start: 'running', success: 'succeeded', error: 'failed' }[status as 'start'] ?? status,
			...(status === 'start' ? {} : { end: at }),
			...(tokens > 0 ? { tokens } : {}),
			...(error ? { error: beginningOf(error, longestError) } : {}),
		});
	}

	#audio(time: number): void {
		const id = 'audio';
		const at = this.#clock.told(time);
		if (this.#rows.get(id)) {
			this.#rows.touch(id);
		} else {
			this.#rows.add({ id, kind: 'tts_message', title: 'tts_message', status: 'told', start: at, end: at });
		}
	}

	#once(time: number, kind: string, title: string, status: string, error: string | undefined): void {
		const id = `event-${this.#rows.place}`;
		const at = this.#clock.told(time);
		this.#rows.add({ id, kind, title, status, start: at, end: at, ...(error ? { error: beginningOf(error, longestError) } : {}) });
	}

	/** What was set by hand is a row of its own, and a mark at the node whose output it was: the last execution in the round that is told. */
	#changedByHand(at: number, data: NodeData & Pick<VariableSetEvent['data'], 'selector' | 'value' | 'agent'>): void {
		this.#once(at, 'variable_set', setText(data), 'told', undefined);
		const [node] = Array.isArray(data.selector) ? data.selector : [];
		const container = this.#containers.of(data);
		const round = container && roundOf(data, container.nodeId);
		const row =
			data.agent === undefined ? this.#rows.lastOf(node, each => each.parent !== container?.rowId || each.round === round) : undefined;
		if (row) {
			this.#rows.set({ ...row, changedByHand: true });
		}
	}

	/** A form belongs to the node that waits for it: the last execution of that node. */
	#form(at: number, name: string, data: NodeData): TimelineRow | undefined {
		const row = this.#rows.lastOf(data.node_id);
		if (!row) {
			this.#once(at, name, name, 'told', undefined);
			return undefined;
		}
		this.#rows.touch(row.id);
		const status = name === 'human_input_required' ? 'paused' : row.status === 'paused' ? 'waited' : row.status;
		return this.#rows.set({ ...row, status });
	}

	/** Nothing runs while a run waits; a node that was told to have begun waits with it. */
	#pause(at: number, data: NodeData): void {
		const pausedAt = this.#clock.pause(at, data.created_at);
		for (const row of this.#rows.open()) {
			this.#rows.set({ ...row, status: 'paused', end: Math.max(row.start, pausedAt) });
		}
	}

	/** What comes after a pause says that the run goes on: the wait is over. */
	#goOn({ at, event }: Extract<JournalEntry, { event: WorkflowEvent }>): void {
		// what says that it goes on has the time of the run's beginning
		if (event.event !== 'ping' && event.event !== 'workflow_started') {
			this.#clock.goOn(at, 'data' in event ? (event.data as NodeData | null | undefined)?.created_at : undefined);
		}
	}

	#think({ node_id, reasoning }: NodeData): void {
		const row = this.#rows.lastOf(node_id);
		if (row && typeof reasoning === 'string' && this.#thoughts.add(row.id, reasoning)) {
			this.#rows.changed(row.id);
		}
	}

	#current(data: NodeData): TimelineRow | undefined {
		return this.#rows.get(this.#executions.get(executionOf(data)) ?? '');
	}
}

function standInField(data: NodeData): Pick<TimelineRow, 'standIn'> {
	const standIn = standInOf(data);
	return standIn === undefined ? {} : { standIn };
}

/** Logs have IDs of their own, which a service may give to nodes too. */
function logRow(id: string): string {
	return `log-${id}`;
}

/** A text of an event that this version does not know: its fields may be anything. */
function textOf(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}
