import { isTooDeep } from '#contract/jsonDepth.ts';
import { type Redactor, withTexts } from '#network/redaction.ts';
import { type ErrorBody, excerptOf } from '../errors/errorBodies.ts';

/** What a reader must know of one kind of stream. */
export interface StreamRules<T> {
	/** Field of the payload that names the event; where it is missing, the `event:` line's name is put there. */
	readonly nameField: string | undefined;
	/** What ends such a stream, for messages. */
	readonly ending: string;
	/** `[DONE]` ends it too (services that grew up with OpenAI's protocol). */
	readonly endsWithDone: boolean;
	/** What an event means for the stream; `name` is what `nameField` holds. */
	roleOf(event: T, name: string | undefined): EventRole;
	/** What an event of role `error` says. */
	errorOf(event: T): StreamErrorBody;
	/** Brings fields that services send in several forms into one; changes the event in place. */
	normalise(event: T): void;
}

/** `end`: nothing has to come after it; `error`: it carries an error, and nothing comes after it. */
export type EventRole = 'end' | 'error' | undefined;

/** Error of an event; `status` is what it says of itself. */
export interface StreamErrorBody extends ErrorBody {
	readonly status?: number | undefined;
}

/** Message of an event stream, as the parser gives it. */
export interface StreamMessage {
	readonly data: string;
	readonly event?: string | undefined;
}

/** A payload that is no event; `message` is a clause without its full stop. */
export class UnreadableEvent extends Error {}

/** Makes events of messages and keeps count of what came. */
export class EventReader<T extends object> {
	readonly #rules: StreamRules<T>;
	readonly #redactor: Redactor;
	/** Events so far. */
	count = 0;
	/** Name of the last event. */
	lastName: string | undefined;
	/** The event came that ends the stream. */
	terminated = false;
	/** What the event said that ended the stream with an error. */
	error: StreamErrorBody | undefined;

	constructor(rules: StreamRules<T>, redactor: Redactor) {
		this.#rules = rules;
		this.#redactor = redactor;
	}

	get ending(): string {
		return this.#rules.ending;
	}

	/**
	 * The event of a message; `undefined` for what is none: empty data, `[DONE]`, and what cannot be read of one that may be `torn`.
	 * Throws {@link UnreadableEvent}.
	 */
	read({ data, event: name }: StreamMessage, torn: boolean): T | undefined {
		const event = this.#parse(data, torn);
		if (event === undefined) {
			return undefined;
		}
		const rules = this.#rules;
		if (rules.nameField !== undefined) {
			const fields = event as Record<string, unknown>;
			this.lastName = fields[rules.nameField] as string | undefined;
			if (this.lastName === undefined && name !== undefined) {
				fields[rules.nameField] = this.lastName = name;
			}
		}
		this.count++;
		rules.normalise(event);
		const role = rules.roleOf(event, this.lastName);
		if (role !== undefined) {
			this.terminated = true;
			this.error = role === 'error' ? rules.errorOf(withTexts(event, text => this.#redactor.text(text))) : undefined;
		}
		return event;
	}

	#parse(data: string, torn: boolean): T | undefined {
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
				return undefined;
			}
			throw new UnreadableEvent(`Event ${this.count + 1} of the stream is not JSON: "${excerptOf(text, this.#redactor)}"`);
		}
		if (typeof value !== 'object' || value === null) {
			throw new UnreadableEvent(`Event ${this.count + 1} of the stream is not a JSON object: "${excerptOf(data, this.#redactor)}"`);
		}
		if (isTooDeep(data, value)) {
			throw new UnreadableEvent(`Event ${this.count + 1} of the stream is nested too deeply: "${excerptOf(data, this.#redactor)}"`);
		}
		return value as T;
	}
}
