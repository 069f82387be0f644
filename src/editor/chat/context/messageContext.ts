import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { Mention } from '#pages/chat/panel/panelProtocol.ts';
import type { MessageAttachment } from '#pages/chat/transcript/transcript.ts';
import type { Chat } from '../transcripts/chat.ts';

/** A part that can be attached to a message. */
export type AttachablePart = MessageAttachment['part'];

/** A kind of context that `@` offers. Its references are its ID, a colon, and text that only the kind itself reads. */
export interface ContextKind {
	/** Also the word that lists only this kind when typed before a colon. */
	readonly id: string;
	readonly icon: string;
	readonly label: string;
	/** Lists what matches a text. `alone` is true if no other kind is listed. Absent if there is only one thing of this kind. */
	find?(query: string, alone: boolean): Promise<readonly Mention[]>;
	/** Reads what a reference refers to. Rejects with a {@link Problem} if there is nothing to attach. */
	read(reference: string): Promise<AttachablePart>;
	/** True if listing can take many seconds, as for the symbols of a large project. */
	readonly isSlow?: boolean;
	/** True if the content isn't read again when the message is sent. */
	readonly isFixed?: boolean;
}

/** Maximum number of suggestions, and of those of one kind among others. */
const most = { all: 30, ofKind: 8 };
/** How long to wait for a slow kind among others, in milliseconds. */
const defaultPatienceMs = 400;

/** Lists what `@` offers, attaches it, and reads it again when the message is sent. */
export class MessageContext {
	readonly #kinds: readonly ContextKind[];
	readonly #patienceMs: number;

	constructor(kinds: readonly ContextKind[], patienceMs = defaultPatienceMs) {
		this.#kinds = kinds;
		this.#patienceMs = patienceMs;
	}

	/** Lists what matches a text. A text such as `symbols:open` lists one kind only. */
	async listMentions(query: string): Promise<readonly Mention[]> {
		const [, word, rest] = /^([a-z]+):(.*)$/s.exec(query) ?? [];
		const only = this.#kinds.find(({ id, find }) => id === word && find);
		if (only?.find) {
			return (await only.find(rest ?? '', true)).slice(0, most.all);
		}
		const wanted = query.toLowerCase();
		const named = this.#kinds
			.filter(({ id, label }) => id.startsWith(wanted) || label.toLowerCase().includes(wanted))
			.map(({ id, icon, label, find }): Mention => {
				const isList = find !== undefined;
				return { icon, name: isList ? `${label}…` : label, detail: '', text: isList ? `${id}:` : id, ...(!isList && { source: `${id}:` }) };
			});
		const found = await Promise.all(this.#kinds.map(kind => findInTime(kind, query, this.#patienceMs)));
		return [...named, ...found.flat()].slice(0, most.all);
	}

	/** Attaches what a reference refers to, once. */
	async attach(chat: Chat, source: string): Promise<void> {
		if (chat.transcript.attachments.some(attachment => attachment.source === source)) {
			return;
		}
		const attachment = { id: randomUUID(), part: await this.#read(source), source };
		chat.updateFields({ attachments: [...chat.transcript.attachments, attachment] });
	}

	/** Reads the attachments of a message again. Rejects if one of them is gone. */
	async refreshAttachments(chat: Chat): Promise<void> {
		const read = await Promise.all(
			chat.transcript.attachments.map(async attachment =>
				// the text of documents is extracted only once, because that takes long
				attachment.source === undefined || attachment.part.kind !== 'file' || this.#findKind(attachment.source)?.isFixed
					? attachment
					: { ...attachment, part: await this.#read(attachment.source) },
			),
		);
		// keep what was attached or removed meanwhile
		const fresh = new Map(read.map(attachment => [attachment.id, attachment]));
		chat.updateFields({ attachments: chat.transcript.attachments.map(attachment => fresh.get(attachment.id) ?? attachment) });
	}

	async #read(source: string): Promise<AttachablePart> {
		const kind = this.#findKind(source);
		if (!kind) {
			throw new Problem('attachment', vscode.l10n.t("This can't be attached: {0}", source));
		}
		return kind.read(source.slice(kind.id.length + 1));
	}

	#findKind(source: string): ContextKind | undefined {
		return this.#kinds.find(({ id }) => source.startsWith(`${id}:`));
	}
}

async function findInTime({ find, isSlow }: ContextKind, query: string, patienceMs: number): Promise<readonly Mention[]> {
	const finding = find?.(query, false).catch(() => []) ?? Promise.resolve([]);
	if (!isSlow) {
		return (await finding).slice(0, most.ofKind);
	}
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<readonly Mention[]>(resolve => {
		timer = setTimeout(resolve, patienceMs, []);
	});
	const found = await Promise.race([finding, late]);
	clearTimeout(timer);
	return found.slice(0, most.ofKind);
}
