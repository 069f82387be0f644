import { type ExecutionMetadata, isEvent, type WorkflowEvent } from '../../protocol/events.ts';
import { timestampToMs } from '../../protocol/timestamps.ts';
import type { JournalEntry } from '../runTypes.ts';
import { markCriticalPath } from './criticalPath.ts';
import { OpenContainers } from './openContainers.ts';

/**
 * A row of the inspector's timeline: a node as it was executed, a word of ours on what happened (`note`), or an event that is of no node
 * (its name is the kind). Times are Unix milliseconds.
 */
export interface TimelineRow {
	readonly id: string;
	/** Row of the iteration or loop that this node runs in. */
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
	/** The service's word; `unfinished`: the run is over, and this node's end was not told; `told`: nothing that has a status. */
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
	/** On the chain of nodes that the run's time went to; told once the run is over. */
	readonly critical?: boolean;
}

/** What node and container events may carry; services leave fields out. */
interface NodeData {
	readonly id?: string;
	readonly node_id?: string;
	readonly node_type?: string;
	readonly title?: string;
	readonly index?: number;
	readonly predecessor_node_id?: string | null;
	readonly iteration_id?: string | null;
	readonly iteration_index?: number;
	readonly loop_id?: string | null;
	readonly loop_index?: number;
	readonly status?: string;
	readonly error?: string | null;
	readonly elapsed_time?: number;
	readonly created_at?: unknown;
	readonly execution_metadata?: (ExecutionMetadata & { iteration_index?: number; loop_index?: number }) | null;
	readonly outputs?: { readonly selected_case_id?: unknown; readonly class_id?: unknown } | null;
	readonly total_tokens?: number;
	readonly retry_index?: number;
	readonly metadata?: { readonly iteration_length?: number; readonly loop_length?: number };
}

/** An event that comes this much later than its time stamp says was replayed: its stamp tells when it was. In milliseconds. */
const lateMs = 2500;
const longestError = 500;
/** Output of each branching node that names its way out (workflow DSL, "Nodes"). */
const branchFields: Readonly<Record<string, 'selected_case_id' | 'class_id'>> = {
	'if-else': 'selected_case_id',
	'question-classifier': 'class_id',
};
/** More of the streamed text is not shown, in UTF-16 units; the outputs have it. */
const longestText = 1_000_000;

/** Folds what came of a run, entry by entry, into the rows of a timeline. Keeps what is shown, and which entries each row was made of. */
export class Timeline {
	/** Text that the run streamed so far. */
	text = '';
	readonly #rows = new Map<string, TimelineRow>();
	/** Places in the journal of what each row was made of. */
	readonly #entries = new Map<string, number[]>();
	/** Row of each execution ID: the last, where a service gives one ID to several. */
	readonly #executions = new Map<string, string>();
	readonly #containers = new OpenContainers();
	#changed = new Set<string>();
	#place = -1;
	/** By how much the service's clock is behind ours, in milliseconds. */
	#skew: number | undefined;

	/** Takes the next entry of the run's journal. */
	take(entry: JournalEntry): void {
		this.#place++;
		if ('event' in entry) {
			this.#event(entry.at, entry.event);
		} else if ('note' in entry) {
			this.#add({ id: `note-${this.#place}`, kind: 'note', title: entry.note, status: 'told', start: entry.at, end: entry.at });
		}
	}

	/** The run is over: nodes whose end never came are said to be so, and the critical path is marked. */
	end(at: number): void {
		for (const row of this.#rows.values()) {
			if (row.end === undefined) {
				this.#set({ ...row, status: 'unfinished', end: Math.max(row.start, at) });
			}
		}
		const critical = markCriticalPath([...this.#rows.values()]);
		for (const row of this.#rows.values()) {
			if (critical.has(row.id) !== (row.critical ?? false)) {
				this.#set({ ...row, critical: critical.has(row.id) });
			}
		}
	}

	/** All rows, in the order in which they began. */
	get rows(): readonly TimelineRow[] {
		return [...this.#rows.values()];
	}

	row(id: string): TimelineRow | undefined {
		return this.#rows.get(id);
	}

	/** Places in the journal, from 0, of what a row was made of. */
	entriesOf(id: string): readonly number[] {
		return this.#entries.get(id) ?? [];
	}

	/** Rows that came or changed since this was last asked. */
	takeChanges(): readonly TimelineRow[] {
		const ids = this.#changed;
		this.#changed = new Set();
		return [...ids].flatMap(id => this.#rows.get(id) ?? []);
	}

	#event(at: number, event: WorkflowEvent): void {
		const data = ('data' in event && typeof event.data === 'object' && event.data !== null ? event.data : {}) as NodeData;
		const { event: name } = event;
		if (isEvent(event, 'workflow_started')) {
			this.#skew = at - (timestampToMs(event.data.created_at) ?? at);
		} else if (isEvent(event, 'text_chunk') || isEvent(event, 'text_replace')) {
			this.text = ((name === 'text_chunk' ? this.text : '') + event.data.text).slice(0, longestText);
		} else if (name === 'node_started') {
			this.#begin(at, data);
		} else if (name === 'node_finished') {
			this.#finish(at, data);
		} else if (name === 'node_retry') {
			this.#retry(at, data);
		} else if (/^(iteration|loop)_started$/.test(name)) {
			this.#containers.open(this.#begin(at, data), data.node_id ?? '');
		} else if (/^(iteration|loop)_next$/.test(name)) {
			this.#nextRound(data);
		} else if (/^(iteration|loop)_completed$/.test(name)) {
			this.#containers.close(this.#finish(at, data));
		} else if (isEvent(event, 'error')) {
			this.#once(at, name, `${event.code}: ${event.message}`, 'failed', `${event.code}: ${event.message}`);
		} else if (name === 'tts_message') {
			this.#audio(at);
		} else if (!['ping', 'workflow_finished', 'tts_message_end'].includes(name)) {
			this.#once(at, name, data.title ?? name, data.status ?? 'told', data.error ?? undefined);
		}
	}

	#begin(at: number, data: NodeData): TimelineRow {
		const execution = executionOf(data);
		const known = this.#executions.get(execution);
		const id = known === undefined ? execution : `${execution}#${this.#place}`;
		this.#executions.set(execution, id);
		const container = this.#containers.of(data);
		const index = data.execution_metadata?.iteration_index ?? data.execution_metadata?.loop_index;
		const round = roundOf(data, container?.nodeId) ?? (index === undefined ? container?.round : index + 1);
		const rounds = data.metadata?.iteration_length ?? data.metadata?.loop_length;
		return this.#add({
			id,
			kind: data.node_type ?? 'node',
			title: data.title || data.node_id || id,
			status: 'running',
			start: this.#when(at, data.created_at),
			...(data.node_id === undefined ? {} : { nodeId: data.node_id }),
			...(data.predecessor_node_id ? { predecessor: data.predecessor_node_id } : {}),
			...(container ? { parent: container.rowId } : {}),
			...(container && round !== undefined ? { round } : {}),
			...(rounds === undefined ? {} : { rounds }),
		});
	}

	#finish(at: number, data: NodeData): TimelineRow {
		const row = this.#current(data) ?? this.#begin(at - (data.elapsed_time ?? 0) * 1000, data);
		const { execution_metadata: metadata, elapsed_time: seconds, error } = data;
		const tokens = metadata?.total_tokens ?? data.total_tokens;
		const price = Number(metadata?.total_price ?? 0);
		const branchField = branchFields[row.kind];
		const branch = branchField && data.outputs?.[branchField];
		this.#touch(row.id);
		return this.#set({
			...row,
			status: data.status ?? 'succeeded',
			end: typeof seconds === 'number' && seconds >= 0 ? row.start + seconds * 1000 : Math.max(row.start, at),
			...(tokens ? { tokens } : {}),
			...(price > 0 ? { price, ...(metadata?.currency ? { currency: metadata.currency } : {}) } : {}),
			...(error ? { error: error.slice(0, longestError) } : {}),
			...(typeof branch === 'string' ? { branch } : {}),
		});
	}

	#retry(at: number, data: NodeData): void {
		const row = this.#current(data) ?? this.#begin(at, data);
		this.#touch(row.id);
		const retries = data.retry_index ?? (row.retries ?? 0) + 1;
		this.#set({ ...row, retries, ...(data.error ? { error: data.error.slice(0, longestError) } : {}) });
	}

	#nextRound(data: NodeData): void {
		const row = this.#current(data);
		if (row) {
			this.#containers.next(row.id, data.index);
			this.#touch(row.id);
		}
	}

	#audio(at: number): void {
		const id = 'audio';
		if (this.#rows.has(id)) {
			this.#touch(id);
		} else {
			this.#add({ id, kind: 'tts_message', title: 'tts_message', status: 'told', start: at, end: at });
		}
	}

	#once(at: number, kind: string, title: string, status: string, error: string | undefined): void {
		const id = `event-${this.#place}`;
		this.#add({ id, kind, title, status, start: at, end: at, ...(error ? { error: error.slice(0, longestError) } : {}) });
	}

	#current(data: NodeData): TimelineRow | undefined {
		return this.#rows.get(this.#executions.get(executionOf(data)) ?? '');
	}

	/** When something was: when it came, unless it was replayed. */
	#when(at: number, stamp: unknown): number {
		const told = timestampToMs(stamp);
		const expected = told === undefined || this.#skew === undefined ? at : told + this.#skew;
		return at - expected > lateMs ? expected : at;
	}

	#add(row: TimelineRow): TimelineRow {
		this.#touch(row.id);
		return this.#set(row);
	}

	#touch(id: string): void {
		const places = this.#entries.get(id);
		if (places) {
			places.push(this.#place);
		} else {
			this.#entries.set(id, [this.#place]);
		}
	}

	#set(row: TimelineRow): TimelineRow {
		this.#rows.set(row.id, row);
		this.#changed.add(row.id);
		return row;
	}
}

function executionOf({ id, node_id, index }: NodeData): string {
	return id || `${node_id ?? 'node'}/${index ?? ''}`;
}

/** Round, from 1, that an event says it is of. */
function roundOf({ iteration_id, iteration_index, loop_id, loop_index }: NodeData, container: string | undefined): number | undefined {
	if (container === loop_id && loop_index !== undefined) {
		return loop_index + 1;
	}
	return container === iteration_id && iteration_index !== undefined ? iteration_index + 1 : undefined;
}
