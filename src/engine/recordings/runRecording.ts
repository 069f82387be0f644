import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { getField } from '#base/records/plainValues.ts';
import type { RecordingPlace, RecordingUse } from '#contract/recordings/recordings.ts';
import { getPlaceKey } from '#contract/recordings/scanRecording.ts';
import type { EngineServices, FixedChance } from '../run/engineTypes.ts';
import type { EntryContent, RecordedError } from './entryText.ts';
import type { RecordingMarks } from './recordingMarks.ts';
import type { KeptCall, LiveContent, RecordingSession } from './recordingSession.ts';
import { replyShapes } from './replyShapes.ts';
import type { CallKind } from './requestKey.ts';

/** A call to record or replay. */
export interface RecordableCall {
	readonly kind: CallKind;
	/** Path of the node: `container#iteration/node`, and `tool>` before nodes of an agent that is used as a tool. */
	readonly node: string;
	readonly marks: Pick<RecordingMarks, 'markText' | 'fillValue'>;
	/** Normalized request. */
	readonly request: unknown;
	/** Parts of the request that are sent but not compared, such as headers. */
	readonly sent?: unknown;
	/** Schema of the reply. */
	readonly shape: z.ZodType;
	readonly signal: AbortSignal;
	/** Called if the reply comes from the recording, with the price of the reply if it's known. */
	readonly onReplay?: OnReplay;
}

/** Called with the price of a reply that wasn't paid again, 0 if it's unknown or free. */
export type OnReplay = (saved: number) => void;

/** Keeps the replies that a run gets. */
export interface ReplyKeeper {
	/** Text that the run's random numbers depend on. */
	readonly seed: string;
	/** True if calls that can change something aren't made, but get another recorded reply of their node. */
	readonly avoidsEffects: boolean;
	/** Keeps a reply. @param key finds it @param node path of the node that asked */
	keep(key: string, node: string, call: KeptCall): void;
}

/** An entry to replay, or a function that records the result of the real call. */
export type RecordedTurn =
	| { readonly replayed: EntryContent /** Set if a live reply is to be compared. */; readonly compare?: (live: LiveContent) => void }
	| { readonly record: (content: LiveContent) => void };

/** The recording as one run uses it. It remembers how often each request was replayed. */
export class RunRecording {
	readonly session: RecordingSession;
	/** Placeholders with their secret values among the inputs. */
	readonly secrets: Readonly<Record<string, string>>;
	readonly #place: RecordingPlace;
	readonly #calls = new Map<string, number>();
	readonly #replayed = new Map<string, number>();
	readonly #keeper: ReplyKeeper | undefined;
	#time: number | undefined;

	constructor(session: RecordingSession, { id: _, secrets = {}, ...place }: RecordingUse, keeper?: ReplyKeeper) {
		this.#keeper = keeper;
		this.session = session;
		this.secrets = secrets;
		this.#place = place;
	}

	/** Notes the secrets of an agent that the run contains. */
	addAgentSecrets(secrets: Iterable<readonly [string, string]>): void {
		this.session.addAgentSecrets(this.#place, secrets);
	}

	/** Returns the recorded result of a call, or how to record it. @throws {RecordingMissing | RecordingFormatError} */
	takeTurn({ kind, node, marks, request, sent, shape, onReplay }: RecordableCall): RecordedTurn {
		const { session } = this;
		const markText = (text: string) => marks.markText(text);
		const normalized = session.normalizeRequest(kind, request, markText);
		const call = (this.#calls.get(node) ?? 0) + 1;
		this.#calls.set(node, call);
		const equal = session.mode === 'all' ? [] : session.findEntries(normalized.key, this.#place, node);
		const isAvoided = equal.length === 0 && this.#keeper?.avoidsEffects === true && canChangeSomething(kind, normalized.request);
		const entries = isAvoided ? session.findCallsOfNode(kind, node) : equal;
		if (entries.length > 0) {
			const cursor = `${node}\n${isAvoided ? kind : normalized.key}`;
			const at = this.#replayed.get(cursor) ?? 0;
			this.#replayed.set(cursor, at + 1);
			const entry = entries[Math.min(at, entries.length - 1)]!;
			// a planted reply must not pass a secret to a service that never got it, so it only contains those of its request
			const known = session.mode === 'none' ? undefined : [request, sent];
			const replayed = session.useEntry(entry, shape, content => marks.fillValue(content, known));
			onReplay?.(getPrice(replayed));
			if (!replayed.error && !isAvoided) {
				this.#keeper?.keep(normalized.key, node, session.copyEntry(entry));
			}
			const compare = session.takeComparison(entry, normalized.request, markText);
			return { replayed, ...(compare && { compare }) };
		}
		if (isAvoided) {
			const advice = 'The fork makes no calls that can change something. Fork again and let it run them.';
			throw session.addMiss(kind, normalized.request, this.#place, node, advice);
		}
		if (session.mode === 'none' || session.mode === 'drift') {
			throw session.addMiss(kind, normalized.request, this.#place, node);
		}
		const head = { key: normalized.key, ...this.#place, node, call };
		return {
			record: content => {
				const added = session.addCall(head, { request: normalized.request, ...content }, markText);
				// a fork makes a call that failed again
				if (!content.error) {
					this.#keeper?.keep(normalized.key, node, added);
				}
			},
		};
	}

	/**
	 * Replays a call, or makes and records it. Replays errors too.
	 * @param toReply converts a result to what is recorded @param fromReply converts it back
	 * @param createError creates an error as the real call would reject with
	 */
	async replayOrCall<T>(
		call: RecordableCall,
		makeCall: () => Promise<T>,
		{ toReply, fromReply, createError = createRecordedError }: ReplyForms<T>,
	): Promise<T> {
		const turn = this.takeTurn(call);
		const started = performance.now();
		const getMeta = () => ({ at: new Date().toISOString().slice(0, 10), ms: Math.round(performance.now() - started) });
		const makeRecordedCall = async (record: (content: LiveContent) => void) => {
			try {
				const result = await makeCall();
				record({ reply: toReply(result), meta: getMeta() });
				return result;
			} catch (error) {
				if (!call.signal.aborted) {
					record({ error: toRecordedError(error), meta: getMeta() });
				}
				throw error;
			}
		};
		if ('replayed' in turn) {
			const { reply, error } = turn.replayed;
			if (turn.compare) {
				// its error is part of the comparison
				await makeRecordedCall(turn.compare).catch(() => undefined);
				call.signal.throwIfAborted();
			}
			if (error) {
				throw createError(error);
			}
			return fromReply(reply);
		}
		return makeRecordedCall(turn.record);
	}

	/** Returns the time and seed that a node sees. The time is only recorded if something reads it. */
	getFixedChance(node: string, marks: RecordableCall['marks']): FixedChance {
		const getTime = () => {
			this.#time ??= this.#readTime(marks);
			return this.#time;
		};
		return {
			get time() {
				return getTime();
			},
			seed: createHash('sha256')
				.update(`${this.#keeper?.seed ?? getPlaceKey(this.#place)}\n${node}`)
				.digest()
				.readUInt32LE(),
		};
	}

	#readTime(marks: RecordableCall['marks']): number {
		const now = Date.now();
		const turn = this.takeTurn({
			kind: 'clock',
			node: '',
			marks,
			request: {},
			shape: replyShapes.clock,
			signal: new AbortController().signal,
		});
		if ('replayed' in turn) {
			const time = Date.parse(String(turn.replayed.reply));
			return Number.isNaN(time) ? now : time;
		}
		turn.record({ reply: new Date(now).toISOString() });
		return now;
	}
}

/** How the results of a kind of call are recorded and restored. */
export interface ReplyForms<T> {
	readonly toReply: (result: T) => unknown;
	readonly fromReply: (reply: unknown) => T;
	readonly createError?: (error: RecordedError) => Error;
}

/** The recording at one level of nested agents. */
export interface RecordingLevel {
	readonly run: RunRecording;
	/** Path of the node that runs this agent as a tool, with `>` at its end; empty for the agent itself. */
	readonly path: string;
	/** Services that call out; absent for the agent itself, whose services are those of the run. */
	readonly services?: EngineServices;
	/** Called if a reply to this agent comes from the recording; absent for the agent itself. */
	readonly onReplay?: OnReplay;
}

/** True if a call can have an effect outside of the run. */
function canChangeSomething(kind: CallKind, request: unknown): boolean {
	switch (kind) {
		case 'code':
			return true;
		case 'tool':
			// the others list and describe tools
			return getField(request, 'tool') !== undefined;
		case 'http':
			return !/^(?:get|head)$/i.test(String(getField(request, 'method')));
		default:
			return false;
	}
}

/** Returns the price of a recorded reply of a model; 0 for all others. */
function getPrice({ reply }: EntryContent): number {
	return Number(getField(getField(reply, 'usage'), 'price') ?? 0) || 0;
}

/** Returns the fields of an error that nodes use. */
export function toRecordedError(error: unknown): RecordedError {
	const { message, name, reason, code } = error as { readonly [field: string]: unknown };
	return {
		message: typeof message === 'string' ? message : String(error),
		...(typeof name === 'string' && name !== 'Error' && { name }),
		...(typeof reason === 'string' && { reason }),
		...(typeof code === 'string' && { code }),
	};
}

/** Creates an error like the one that was recorded. */
export function createRecordedError({ message, ...fields }: RecordedError): Error {
	return Object.assign(new Error(message), fields);
}
