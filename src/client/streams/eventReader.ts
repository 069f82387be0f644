import { hasTooManyJsonValues } from '#base/text/jsonSize.ts';
import { isTooDeepJson } from '#contract/jsonDepth.ts';
import type { ErrorBody } from '../errors/errorBodies.ts';

/** Rules for reading one kind of stream. */
export interface StreamRules<T> {
	/** Field of the payload that names the event; if it is missing, the name of the `event:` line is stored there. */
	readonly nameField: string | undefined;
	/** Name of the event that ends the stream, for messages. */
	readonly ending: string;
	/** True if `[DONE]` also ends the stream (services with OpenAI's protocol). */
	readonly endsWithDone: boolean;
	/** Name of the event after which other ends and errors are skipped, because the first one says how the run ended. */
	readonly final?: string;
	/** Returns the role of an event in the stream; `name` is the value of `nameField`. */
	getRole(event: T, name: string | undefined): EventRole;
	/** Returns the error in an event of role `error`. */
	getError(event: T): StreamErrorBody;
	/** Normalizes fields that services send in several forms, in place. */
	normalize(event: T): void;
}

/** `end`: the stream may end after this event; `error`: the event contains an error, and nothing follows it. */
export type EventRole = 'end' | 'error' | undefined;

/** Error of an event; `status` is from the event. */
export interface StreamErrorBody extends ErrorBody {
	readonly status?: number | undefined;
}

/** Message of an event stream, from the parser. */
export interface StreamMessage {
	readonly data: string;
	readonly event?: string | undefined;
}

/** A payload that isn't an event. */
export class UnreadableEvent extends Error {
	/** Says whether the payload isn't JSON, isn't a JSON object, is nested too deeply, or has too many values. */
	readonly problem: 'json' | 'object' | 'depth' | 'values';

	constructor(problem: UnreadableEvent['problem']) {
		super(`unreadable event: ${problem}`);
		this.problem = problem;
	}
}

/** Milliseconds after the last event until a stream counts as ended, although pings keep its connection open. */
const lateMs = 10_000;

/** Converts messages to events and tracks what was received. */
export class EventReader<T extends object> {
	readonly #rules: StreamRules<T>;
	/** Time of the last event after the end, which can have others after it, such as audio; `undefined` before. */
	#endedAt: number | undefined;
	#isFinal = false;
	/** Number of events received. */
	count = 0;
	/** Name of the last event. */
	lastName: string | undefined;
	/** True after the event that ends the stream. */
	terminated = false;
	/** The error in the event that ended the stream. */
	error: StreamErrorBody | undefined;

	constructor(rules: StreamRules<T>) {
		this.#rules = rules;
	}

	get ending(): string {
		return this.#rules.ending;
	}

	/** True if nothing but pings came for a while after the end. A paused run may continue. */
	get isOverdue(): boolean {
		return this.#endedAt !== undefined && performance.now() - this.#endedAt > lateMs;
	}

	/**
	 * Reads the event of a message. Returns `undefined` for empty data, `[DONE]`, another end after the final one, and an unreadable message
	 * that may be `torn`. Throws {@link UnreadableEvent}.
	 */
	readEvent({ data, event: name }: StreamMessage, torn: boolean): T | undefined {
		const event = this.#parsePayload(data, torn);
		if (event === undefined) {
			return undefined;
		}
		const rules = this.#rules;
		if (rules.nameField !== undefined) {
			const fields = event as Record<string, unknown>;
			if (fields[rules.nameField] === undefined && name !== undefined) {
				fields[rules.nameField] = name;
			}
			const given = fields[rules.nameField];
			// services can send any JSON here
			this.lastName = typeof given === 'string' ? given : undefined;
		}
		this.count++;
		rules.normalize(event);
		const role = rules.getRole(event, this.lastName);
		if (role !== undefined && this.#isFinal) {
			return undefined;
		}
		this.#isFinal ||= rules.final !== undefined && this.lastName === rules.final;
		const isLate = this.#endedAt !== undefined && this.lastName !== 'ping';
		if (isLate || (role === 'end' && this.lastName !== 'workflow_paused')) {
			this.#endedAt = performance.now();
		}
		if (role !== undefined) {
			this.terminated = true;
			this.error = role === 'error' ? rules.getError(event) : undefined;
		}
		return event;
	}

	#parsePayload(data: string, torn: boolean): T | undefined {
		if (hasTooManyJsonValues(data)) {
			throw new UnreadableEvent('values');
		}
		let value: unknown;
		try {
			value = JSON.parse(data);
		} catch {
			const text = data.trim();
			if (text === '' || torn) {
				return undefined;
			}
			if (text === '[DONE]') {
				this.terminated ||= this.#rules.endsWithDone;
				this.#endedAt ??= this.terminated ? performance.now() : undefined;
				return undefined;
			}
			throw new UnreadableEvent('json');
		}
		if (typeof value !== 'object' || value === null) {
			throw new UnreadableEvent('object');
		}
		if (isTooDeepJson(data, value)) {
			throw new UnreadableEvent('depth');
		}
		return value as T;
	}
}
