import { setTimeout as delay } from 'node:timers/promises';
import type { ModelPart, ModelRequest, ModelToolCall, ModelUsage, TextModels } from '../run/engineTypes.ts';
import type { EntryContent } from './entryText.ts';
import { replyShapes } from './replyShapes.ts';
import { normalizeModelRequest } from './requestKey.ts';
import { createRecordedError, type RecordableCall, type RecordedTurn, type RunRecording, toRecordedError } from './runRecording.ts';

/** Longest pause between chunks with recorded timing, in milliseconds. */
const longestPause = 60_000;

/** A part of a stream: milliseconds since the last one, number of characters, and what they belong to if it isn't the text. */
type Chunk = readonly [ms: number, characters: number, kind?: 'reasoning' | 'call'];

/** A recorded reply of a model. */
interface ModelReplyText {
	readonly text?: string;
	readonly reasoning?: string;
	readonly calls?: readonly Pick<ModelToolCall, 'id' | 'name' | 'input'>[];
	readonly thoughts?: readonly string[];
	readonly warnings?: readonly string[];
	readonly finish?: string;
	readonly usage?: { readonly prompt?: number; readonly completion?: number; readonly price?: string; readonly currency?: string };
	readonly chunks?: readonly Chunk[];
}

/** Returns models whose replies are recorded or replayed, with the same chunks. */
export function createRecordedModels(
	models: TextModels,
	recording: RunRecording,
	caller: Pick<RecordableCall, 'node' | 'marks' | 'onReplay'>,
): TextModels {
	return {
		...(models.getContextTokens && { getContextTokens: model => models.getContextTokens?.(model) }),
		streamReply(request: ModelRequest, signal: AbortSignal) {
			const turn = recording.takeTurn({
				kind: 'model',
				...caller,
				request: normalizeModelRequest(request),
				shape: replyShapes.model,
				signal,
			});
			if ('record' in turn) {
				return recordReply(turn, models.streamReply(request, signal), signal);
			}
			const replayed = replayReply(turn.replayed, recording.session.timing, signal);
			const { compare: record } = turn;
			return record ? replayAfter(recordReply({ record }, models.streamReply(request, signal), signal), replayed, signal) : replayed;
		},
	};
}

async function* recordReply(
	{ record }: Extract<RecordedTurn, { record: unknown }>,
	parts: AsyncIterable<ModelPart>,
	signal: AbortSignal,
): AsyncGenerator<ModelPart, void> {
	const started = performance.now();
	let last = started;
	let [text, reasoning] = ['', ''];
	const calls: ModelToolCall[] = [];
	const chunks: Chunk[] = [];
	let end: Extract<ModelPart, { type: 'finish' }> | undefined;
	const getMeta = () => ({
		at: new Date().toISOString().slice(0, 10),
		ms: Math.round(performance.now() - started),
		...(end?.by && { by: end.by }),
	});
	const createReply = (): ModelReplyText => {
		const { thoughts = [], warnings = [], finishReason, usage } = end ?? {};
		return {
			text,
			...(reasoning !== '' && { reasoning }),
			...(calls.length > 0 && { calls: calls.map(({ id, name, input }) => ({ id, name, input })) }),
			...(thoughts.length > 0 && { thoughts: thoughts.map(thought => thought.text) }),
			...(warnings.length > 0 && { warnings }),
			...(finishReason !== undefined && { finish: finishReason }),
			...(usage && { usage: formatUsage(usage) }),
			chunks,
		};
	};
	try {
		for await (const part of parts) {
			const now = performance.now();
			const ms = Math.round(now - last);
			last = now;
			if (part.type === 'text') {
				text += part.text;
				chunks.push([ms, part.text.length]);
			} else if (part.type === 'reasoning') {
				reasoning += part.text;
				chunks.push([ms, part.text.length, 'reasoning']);
			} else if (part.type === 'call') {
				calls.push(part);
				chunks.push([ms, 0, 'call']);
			} else {
				end = part;
			}
			yield part;
		}
	} catch (error) {
		if (!signal.aborted) {
			record({ ...(chunks.length > 0 && { reply: createReply() }), error: toRecordedError(error), meta: getMeta() });
		}
		throw error;
	}
	record({ reply: createReply(), meta: getMeta() });
}

function formatUsage({ promptTokens, completionTokens, totalPrice, currency }: ModelUsage): NonNullable<ModelReplyText['usage']> {
	return {
		prompt: promptTokens,
		completion: completionTokens,
		...(totalPrice !== undefined && { price: totalPrice }),
		...(currency !== undefined && { currency }),
	};
}

/** Receives a live reply, which is compared, and then replays the recorded one. */
async function* replayAfter(
	live: AsyncIterator<ModelPart, void>,
	replayed: AsyncIterable<ModelPart>,
	signal: AbortSignal,
): AsyncGenerator<ModelPart, void> {
	try {
		while (!(await live.next()).done) {
			signal.throwIfAborted();
		}
	} catch {
		// its error is part of the comparison
		signal.throwIfAborted();
	}
	yield* replayed;
}

async function* replayReply(
	{ reply, error }: Pick<EntryContent, 'reply' | 'error'>,
	timing: RunRecording['session']['timing'],
	signal: AbortSignal,
): AsyncGenerator<ModelPart, void> {
	const recorded = (reply ?? {}) as ModelReplyText;
	const { text = '', reasoning = '', calls = [], thoughts = [], warnings = [], finish, usage = {}, chunks = [] } = recorded;
	const rest = { text, reasoning };
	const waiting = calls.values();
	const takeText = (kind: 'text' | 'reasoning', characters: number): ModelPart => {
		const part = rest[kind].slice(0, characters);
		rest[kind] = rest[kind].slice(characters);
		return { type: kind, text: part };
	};
	for (const [ms, characters, kind = 'text'] of fitsChunks(chunks, text, reasoning) ? chunks : []) {
		if (timing !== 'none') {
			await delay(timing === 'recorded' ? Math.min(ms, longestPause) : timing, undefined, { signal });
		}
		const call = kind === 'call' ? waiting.next().value : undefined;
		if (kind !== 'call') {
			yield takeText(kind, characters);
		} else if (call) {
			yield { type: 'call', ...call };
		}
	}
	// an edited text doesn't fit its chunks anymore
	for (const kind of ['reasoning', 'text'] as const) {
		if (rest[kind] !== '') {
			yield takeText(kind, rest[kind].length);
		}
	}
	for (const call of waiting) {
		yield { type: 'call', ...call };
	}
	if (error) {
		throw createRecordedError(error);
	}
	if (finish !== undefined) {
		const { prompt = 0, completion = 0, price, currency } = usage;
		yield {
			type: 'finish',
			finishReason: finish,
			usage: {
				promptTokens: prompt,
				completionTokens: completion,
				...(price !== undefined && { totalPrice: price }),
				...(currency !== undefined && { currency }),
			},
			...(thoughts.length > 0 && { thoughts: thoughts.map(thought => ({ text: thought })) }),
			...(warnings.length > 0 && { warnings }),
		};
	}
}

/** True if the chunks belong to these texts. */
function fitsChunks(chunks: readonly Chunk[], text: string, reasoning: string): boolean {
	const count = (wanted: 'text' | 'reasoning') =>
		chunks.reduce((sum, [, characters, kind = 'text']) => sum + (kind === wanted ? characters : 0), 0);
	const isList = Array.isArray(chunks) && chunks.every(chunk => Array.isArray(chunk) && Number(chunk[1]) >= 0);
	return isList && count('text') === text.length && count('reasoning') === reasoning.length;
}
