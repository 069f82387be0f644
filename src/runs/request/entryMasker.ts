import { computeBorders, extendMatch } from '#base/text/containsText.ts';
import type { JournalEntry } from '../events/journalEntry.ts';
import { getSecretForms, maskEntry, type Secrets } from './secrets.ts';

type EventEntry = Extract<JournalEntry, { readonly event: unknown }>;

/** Chunk of a streamed text. */
interface Piece {
	readonly entry: EventEntry;
	readonly field: 'text' | 'reasoning';
	readonly text: string;
	/** Identifies the stream. Its chunks continue each other, even if other events come between them. */
	readonly stream: string;
	readonly node: unknown;
}

const fields = new Map<string, Piece['field']>([
	['text_chunk', 'text'],
	['reasoning_chunk', 'reasoning'],
]);

/** Events after which no stream continues. */
const ends: ReadonlySet<string> = new Set(['workflow_finished', 'workflow_paused', 'error', 'text_replace']);

/**
 * Masks the secrets of a run in its journal entries as they arrive. Models may stream a secret in chunks: the end of a chunk that could be
 * the start of a secret is held back until the stream continues or ends.
 */
export class EntryMasker {
	readonly #secrets: Secrets;
	/** Forms of the secrets, each with its table from {@link computeBorders}. */
	readonly #forms: readonly { readonly form: string; readonly borders: Int32Array }[];
	/** Texts held back, by stream. */
	readonly #held = new Map<string, Piece>();

	constructor(secrets: Secrets) {
		this.#secrets = secrets;
		this.#forms = [...getSecretForms(secrets).keys()].map(form => ({ form, borders: computeBorders(form) }));
	}

	/** Returns the masked entry, preceded by held-back texts that don't continue. */
	maskNextEntry(entry: JournalEntry): readonly JournalEntry[] {
		if ('request' in entry) {
			return [entry];
		}
		const piece = this.#forms.length > 0 && 'event' in entry ? getStreamPiece(entry) : undefined;
		return piece ? [this.#maskPiece(piece)] : [...this.#releaseEndedTexts(entry), maskEntry(entry, this.#secrets)];
	}

	/** Returns the texts that are still held back at the end of the run. */
	releaseHeldTexts(): readonly JournalEntry[] {
		const held = [...this.#held.values()].map(piece => replacePieceText(piece, piece.text));
		this.#held.clear();
		return held;
	}

	#maskPiece(piece: Piece): JournalEntry {
		const before = this.#held.get(piece.stream)?.text ?? '';
		const entry = maskEntry(replacePieceText(piece, before + piece.text), this.#secrets);
		const text = getStreamPiece(entry)?.text ?? '';
		const shown = text.length - Math.max(...this.#forms.map(({ form, borders }) => getHeldBackLength(text, form, borders)));
		if (shown < text.length) {
			this.#held.set(piece.stream, { ...piece, entry, text: text.slice(shown) });
		} else {
			this.#held.delete(piece.stream);
		}
		return replacePieceText({ ...piece, entry }, text.slice(0, shown));
	}

	/** Releases the texts that can't continue after this entry. */
	#releaseEndedTexts(entry: JournalEntry): readonly JournalEntry[] {
		if ('detail' in entry || ('event' in entry && ends.has(entry.event.event))) {
			return this.releaseHeldTexts();
		}
		if (!('event' in entry) || entry.event.event !== 'node_finished') {
			return [];
		}
		const node = (entry.event as { readonly data?: { readonly node_id?: unknown } | null }).data?.node_id;
		const done = [...this.#held.values()].filter(piece => piece.node === node);
		for (const { stream } of done) {
			this.#held.delete(stream);
		}
		return done.map(piece => replacePieceText(piece, piece.text));
	}
}

function getStreamPiece(entry: EventEntry): Piece | undefined {
	const { event } = entry;
	const field = fields.get(event.event);
	const data = ('data' in event && typeof event.data === 'object' ? event.data : undefined) as Record<string, unknown> | null | undefined;
	const text = field && data?.[field];
	if (!field || !data || typeof text !== 'string') {
		return undefined;
	}
	const selector = data['from_variable_selector'];
	const node = field === 'text' && Array.isArray(selector) ? selector[0] : data['node_id'];
	return { entry, field, text, stream: JSON.stringify([field, field === 'text' ? selector : node]), node };
}

function replacePieceText({ entry, field }: Piece, text: string): EventEntry {
	const { event } = entry;
	const data = 'data' in event ? (event.data as object) : {};
	return { ...entry, event: { ...event, data: { ...data, [field]: text } } as EventEntry['event'] };
}

/** Returns the length of the longest proper prefix of a form that the text ends with. */
function getHeldBackLength(text: string, form: string, borders: Int32Array): number {
	let length = 0;
	for (let at = Math.max(0, text.length - form.length + 1); at < text.length; at++) {
		length = extendMatch(form, borders, length, text.charCodeAt(at));
	}
	return length;
}
