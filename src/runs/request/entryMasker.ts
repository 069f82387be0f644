import { computeBorders, extendMatch } from '#base/text/containsText.ts';
import { TextFinder } from '#base/text/textFinder.ts';
import type { JournalEntry } from '../events/journalEntry.ts';
import { createTextMasker, getSecretForms, maskEntryTexts, type Secrets } from './secrets.ts';

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

/** Text held back, with the progress of the secrets in it. */
interface HeldPiece extends Piece, Progress {}

interface Progress {
	/** For each form, the length of its longest proper prefix that the text ends with. */
	readonly matched: readonly number[];
	/** True if the text may contain a complete form. */
	readonly isContained: boolean;
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
	/** Forms of the secrets, each with its placeholder. */
	readonly #places: ReadonlyMap<string, string>;
	/** Secrets that are too short to be masked in a longer text, each with its placeholder. */
	readonly #shortSecrets: Secrets;
	/** Forms of the secrets, each with its table from {@link computeBorders}. */
	readonly #forms: readonly { readonly form: string; readonly borders: Int32Array }[];
	readonly #finder: TextFinder;
	readonly #maskText: (text: string) => string;
	/** Texts held back, by stream. */
	readonly #held = new Map<string, HeldPiece>();

	constructor(secrets: Secrets) {
		this.#places = getSecretForms(secrets);
		this.#shortSecrets = new Map([...secrets].filter(([secret]) => !this.#places.has(secret.toWellFormed())));
		this.#forms = [...this.#places.keys()].map(form => ({ form, borders: computeBorders(form) }));
		this.#finder = new TextFinder(this.#places.keys());
		this.#maskText = createTextMasker(secrets);
	}

	/** Returns the masked entry, preceded by held-back texts that don't continue. */
	maskNextEntry(entry: JournalEntry): readonly JournalEntry[] {
		if ('request' in entry) {
			return [entry];
		}
		const piece = this.#forms.length > 0 && 'event' in entry ? getStreamPiece(entry) : undefined;
		return piece ? [this.#maskPiece(piece)] : [...this.#releaseEndedTexts(entry), maskEntryTexts(entry, this.#maskText)];
	}

	/** Returns the texts that are still held back at the end of the run. */
	releaseHeldTexts(): readonly JournalEntry[] {
		const held = [...this.#held.values()];
		this.#held.clear();
		return held.map(piece => replacePieceText(piece, this.#maskText(piece.text)));
	}

	#maskPiece(piece: Piece): JournalEntry {
		const before = this.#held.get(piece.stream);
		const entry = maskEntryTexts(replacePieceText(piece, ''), this.#maskText);
		const text = (before?.text ?? '') + piece.text;
		const place = this.#shortSecrets.get(text);
		const { shown, held } =
			place === undefined ? this.#maskShownText(text, this.#findProgress(piece.text, before)) : { shown: place, held: undefined };
		if (held) {
			this.#held.set(piece.stream, { ...piece, entry, ...held });
		} else {
			this.#held.delete(piece.stream);
		}
		return replacePieceText({ ...piece, entry }, shown);
	}

	/** Splits a text into a masked part and a part to hold back, because it may be the start of a secret, or of a longer secret. */
	#maskShownText(text: string, progress: Progress): { readonly shown: string; readonly held?: Progress & Pick<Piece, 'text'> } {
		const start = text.length - Math.max(...progress.matched);
		let end = start;
		const maskFound = (found: string, at: number) => {
			end = Math.max(end, at + found.length);
			return this.#places.get(found) ?? '';
		};
		const masked = progress.isContained && start > 0 ? this.#finder.replaceTexts(text, maskFound, start) : text;
		const rest = text.slice(end);
		const shown = masked.slice(0, masked.length - rest.length);
		if (end > start) {
			// a secret that ends after that start was masked, so the rest is read again without it
			const { shown: more, held } = this.#maskShownText(rest, this.#findProgress(rest));
			return { shown: shown + more, ...(held && { held }) };
		}
		return { shown, ...(rest !== '' && { held: { ...progress, text: rest } }) };
	}

	/** Continues the progress of the secrets with the next chunk of a text. */
	#findProgress(chunk: string, before?: Progress): Progress {
		let isContained = before?.isContained ?? false;
		const matched = this.#forms.map(({ form, borders }, index) => {
			let length = before?.matched[index] ?? 0;
			for (let at = 0; at < chunk.length; at++) {
				length = extendMatch(form, borders, length, chunk.charCodeAt(at));
				if (length === form.length) {
					isContained = true;
					length = borders[length] ?? 0;
				}
			}
			return length;
		});
		return { matched, isContained };
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
		return done.map(piece => replacePieceText(piece, this.#maskText(piece.text)));
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
